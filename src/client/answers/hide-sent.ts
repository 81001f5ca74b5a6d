import { withoutSecrets } from '../../redaction/redact.js';
import { quotedForms } from '../../redaction/sent-secrets.js';
import type { Answer } from '../exchange/exchange.js';

// Not a property of the answer: whatever logs it would show them.
const sent = new WeakMap<Answer, () => readonly string[]>();

/** Remembers which secrets the request behind an answer carried; they are only asked for where a text quotes the answer. */
export function rememberSent(answer: Answer, secrets: () => readonly string[]): void {
  sent.set(answer, secrets);
}

/**
 * A text from an answer, without the secrets that its request carried: a service may echo them. It must not have been
 * cut before, or a part of one would stay.
 */
export function withoutSent(answer: Answer, text: string): string {
  const forms = new Set((sent.get(answer)?.() ?? []).flatMap(quotedForms));
  // The longest first: a shorter one may be a part of it.
  return withoutSecrets(
    text,
    [...forms].sort((one, other) => other.length - one.length),
  );
}

/** The body of an answer likewise, to quote its first line. */
export function bodyWithoutSent(answer: Answer): Buffer {
  return sent.has(answer) ? Buffer.from(withoutSent(answer, answer.body.toString('utf8'))) : answer.body;
}
