import { withoutSecrets } from '../../redaction/redact.js';
import { quotedForms } from '../../redaction/sent-secrets.js';
import type { Answer } from '../exchange/exchange.js';

// Not a property, because logging the response would show it.
const sent = new WeakMap<Answer, () => readonly string[]>();

/** Remembers the secrets of a response's request; computes them only when a text quotes the response. */
export function rememberSent(answer: Answer, secrets: () => readonly string[]): void {
  sent.set(answer, secrets);
}

/** Hides secrets that a service may echo. Call it before cutting the text, which could leave part of one. */
export function withoutSent(answer: Answer, text: string): string {
  const forms = new Set((sent.get(answer)?.() ?? []).flatMap(quotedForms));
  // Longest first: a shorter one may be part of it.
  return withoutSecrets(
    text,
    [...forms].sort((one, other) => other.length - one.length),
  );
}

export function bodyWithoutSent(answer: Answer): Buffer {
  return sent.has(answer) ? Buffer.from(withoutSent(answer, answer.body.toString('utf8'))) : answer.body;
}
