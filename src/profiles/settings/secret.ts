import { keyIdPrefix, secretLength } from '../../api/resources/records.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
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

/** Whether a text given as a key ID has the length of a secret, but lacks the prefix of a key ID (API reference). */
export function isSecretShaped(keyId: string): boolean {
  return keyId.length === secretLength && !keyId.startsWith(keyIdPrefix);
}

export const secretAsKeyId = `not a key ID, which begins with ${keyIdPrefix}: it has the form of a secret`;

/** Call it before a key ID is sent or printed. @throws ConfigError if it has the form of a secret */
export function assertNoSecret({ keyId }: { readonly keyId: string }): void {
  if (!isSecretShaped(keyId)) return;
  throw new ConfigError(`the key ID in use is ${secretAsKeyId}`, {
    hint: 'see whether key ID and secret are swapped',
    next: ['orgctl', 'doctor'],
  });
}

/** Masks a value that does not begin like a key ID: if ID and secret were swapped, it is the secret. */
export function displayKeyId(keyId: string): string {
  return keyId.startsWith(keyIdPrefix)
    ? keyId
    : `a value that does not begin with key_: ${describeLength(keyId)}`;
}
