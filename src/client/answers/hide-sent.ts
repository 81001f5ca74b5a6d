import { withoutSecrets } from '../../redaction/redact.js';
import { quotedForms } from '../../redaction/sent-secrets.js';
import type { Answer } from '../exchange/exchange.js';

// Not a property, because logging the response would show it.
const sent = new WeakMap<Answer, () => readonly string[]>();

/** Remembers the secrets that the request contained. Calls `secrets` only when a text quotes the response. */
export function rememberSent(answer: Answer, secrets: () => readonly string[]): void {
  sent.set(answer, secrets);
}

/** Hides sent secrets that a service may echo. Call it before shortening the text: it does not find a cut secret. */
export function withoutSent(answer: Answer, text: string): string {
  const forms = new Set((sent.get(answer)?.() ?? []).flatMap(quotedForms));
  // Longest first, because a shorter form may be part of a longer one.
  return withoutSecrets(
    text,
    [...forms].sort((one, other) => other.length - one.length),
  );
}

export function bodyWithoutSent(answer: Answer): Buffer {
  return sent.has(answer) ? Buffer.from(withoutSent(answer, answer.body.toString('utf8'))) : answer.body;
}
