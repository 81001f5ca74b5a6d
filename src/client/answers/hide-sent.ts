import { withoutSecrets } from '../../redaction/redact.js';
import { quotedForms } from '../../redaction/sent-secrets.js';
import type { Answer } from '../exchange/exchange.js';
import { shorten } from '../exchange/json-body.js';

// Not a property, because logging the response would show it.
const sent = new WeakMap<Answer, () => readonly string[]>();

/** Remembers the secrets of the request, which are listed only when a text quotes the response. */
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

/** The first line of the body, without sent secrets. */
export function firstLine(answer: Answer): string {
  const text = withoutSent(answer, answer.body.toString('utf8')).slice(0, 1024);
  return shorten(text.trim().replace(/\r?\n.*/s, ''), 120);
}
