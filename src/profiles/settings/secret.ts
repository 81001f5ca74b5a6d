import { countNoun } from '../../text/count-noun.js';

export function dropTrailingNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

// A shorter secret could be guessed from its last characters.
const longSecret = 32;

/** Shows the length, and the last four characters of a long secret. */
export function maskSecret(secret: string): string {
  const ending = secret.length < longSecret ? '' : `, ends in ${secret.slice(-4)}`;
  return `set (${countNoun(secret.length, 'character')}${ending})`;
}

/** For table cells: shows only the last four characters of a long secret. */
export function abbreviateSecret(secret: string): string {
  return secret.length < longSecret ? 'set' : `…${secret.slice(-4)}`;
}

/** Masks a value that does not begin like a key ID: if ID and secret were swapped, it is the secret. */
export function displayKeyId(keyId: string): string {
  return keyId.startsWith('key_') ? keyId : `a value that does not begin with key_, ${maskSecret(keyId)}`;
}
