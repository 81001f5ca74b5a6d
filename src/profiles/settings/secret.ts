import { keyIdPrefix, secretLength } from '../../api/resources/records.js';
import { UsageError } from '../../errors/errors.js';
import { countNoun } from '../../text/count-noun.js';

/** @throws UsageError for an empty secret, or one with characters at its ends that were copied along */
export function requireSecret(secret: string): string {
  const odd = findOddity(secret);
  if (odd === undefined) return secret;
  throw new UsageError(`the secret ${odd}`);
}

/** What is odd about a secret, such as `ends with a space`; never quotes it. */
export function findOddity(secret: string): string | undefined {
  if (/^[\r\n]*$/.test(secret)) return 'is empty';
  if (/^(["']).*\1$/s.test(secret)) return 'includes quotes';
  const [first = ''] = secret;
  const last = secret.slice(-1);
  if (isBlank(first)) return `begins with ${nameBlank(first)}`;
  return isBlank(last) ? `ends with ${nameBlank(last)}` : undefined;
}

/** White space, and control and format characters such as a zero-width space. */
function isBlank(character: string): boolean {
  return /[\s\p{Cc}\p{Cf}]/u.test(character);
}

function nameBlank(character: string): string {
  if (character === '\r') return 'a carriage return';
  if (character === '\n') return 'a line break';
  return character === ' ' || character === '\t' ? 'a space' : 'an invisible character';
}

// The last characters of a shorter secret would reveal too much of it.
const longSecret = 32;

/** Shows the length, and the last four characters of a long secret. */
export function maskSecret(secret: string): string {
  return `set (${describeLength(secret)})`;
}

function describeLength(secret: string): string {
  const ending = secret.length < longSecret ? '' : `, ends in ${secret.slice(-4)}`;
  return `${countNoun(secret.length, 'character')}${ending}`;
}

/** For table cells. Shows only the last four characters of a long secret. */
export function abbreviateSecret(secret: string): string {
  return secret.length < longSecret ? 'set' : `…${secret.slice(-4)}`;
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
  if (/^(["']).*\1$/s.test(text)) throw new UsageError('the key ID includes its quotes');
  if (/^[\x21-\x39\x3b-\x7e]+$/.test(text)) return text;
  throw new UsageError('a key ID consists of visible ASCII characters without spaces or colons');
}

/** Masks a value that does not begin like a key ID: if ID and secret were swapped, it is the secret. */
export function displayKeyId(keyId: string): string {
  return keyId.startsWith(keyIdPrefix)
    ? keyId
    : `a value that does not begin with key_: ${describeLength(keyId)}`;
}
