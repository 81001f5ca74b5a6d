import { withoutSecrets } from '../../redaction/redact.js';
import { quotedForms } from '../../redaction/sent-secrets.js';
import type { Answer } from '../exchange/exchange.js';

// Not a property of the response: whatever logs it would show them.
const sent = new WeakMap<Answer, () => readonly string[]>();

/** Remembers the secrets of a response's request, computed only when a text quotes the response. */
export function rememberSent(answer: Answer, secrets: () => readonly string[]): void {
  sent.set(answer, secrets);
}

/** Hides secrets that a service may echo. Call it before cutting the text, or a part of one would stay. */
export function withoutSent(answer: Answer, text: string): string {
  const forms = new Set((sent.get(answer)?.() ?? []).flatMap(quotedForms));
  // The longest first: a shorter one may be a part of it.
  return withoutSecrets(
    text,
    [...forms].sort((one, other) => other.length - one.length),
  );
}

export function bodyWithoutSent(answer: Answer): Buffer {
  return sent.has(answer) ? Buffer.from(withoutSent(answer, answer.body.toString('utf8'))) : answer.body;
}
