import { keyIdPrefix, secretLength } from '../../api/resources/records.js';
import { UsageError } from '../../errors/errors.js';
import { countNoun } from '../../text/count-noun.js';

/** @throws UsageError for an empty secret, or one with characters at its ends that were copied along */
export function requireSecret(secret: string): string {
  const odd = findOddity(secret);
  if (odd === undefined) return secret;
  throw new UsageError(`the secret ${odd}`);
}

/** What is odd about a secret, such as `includes quotes`; never quotes it. */
export function findOddity(secret: string): string | undefined {
  if (/^[\r\n]*$/.test(secret)) return 'is empty';
  if (inQuotes.test(secret)) return 'includes quotes';
  const [, first, last] = /^([\s\p{Cc}\p{Cf}])?.*?([\s\p{Cc}\p{Cf}])?$/su.exec(secret) ?? [];
  const odd = first ?? last;
  if (odd === undefined) return undefined;
  const name = blanks.get(odd) ?? 'an invisible character';
  return `${first === undefined ? 'ends' : 'begins'} with ${name}`;
}

const inQuotes = /^(["']).*\1$/s;
const blanks: ReadonlyMap<string, string> = new Map([
  [' ', 'a space'],
  ['\r', 'a carriage return'],
  ['\n', 'a line break'],
]);

/** Shows the length, and the last four characters of a long secret: those of a shorter one would reveal too much. */
export function maskSecret(secret: string): string {
  return `set (${describeLength(secret)})`;
}

function describeLength(secret: string): string {
  return `${countNoun(secret.length, 'character')}${secret.length < 32 ? '' : `, ends in ${secret.slice(-4)}`}`;
}

/**
 * A key ID as it may be sent and printed. Errors do not quote it, because it is the secret if the two were swapped.
 * Valid in a header and in Basic (RFC 7617, section 2). @throws UsageError
 */
export function parseKeyId(text: string): string {
  if (text.length === secretLength && !text.startsWith(keyIdPrefix))
    throw new UsageError(
      `not a key ID, which begins with ${keyIdPrefix}: it has the form of a secret; are the two swapped?`,
    );
  if (inQuotes.test(text)) throw new UsageError('the key ID includes its quotes');
  if (/^[\x21-\x39\x3b-\x7e]+$/.test(text)) return text;
  throw new UsageError('a key ID consists of visible ASCII characters without spaces or colons');
}

/** Masks a value that does not begin like a key ID: if ID and secret were swapped, it is the secret. */
export function displayKeyId(keyId: string): string {
  if (keyId.startsWith(keyIdPrefix)) return keyId;
  return `a value that does not begin with key_: ${describeLength(keyId)}`;
}
