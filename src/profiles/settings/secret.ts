/** Of a secret from stdin, the environment, a file or a command. */
export function dropTrailingNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** Shows that it is set, its length, and of a long one the last four characters. */
export function maskSecret(secret: string): string {
  const ending = secret.length < 32 ? '' : `, ends in ${secret.slice(-4)}`;
  return `set (${secret.length} characters${ending})`;
}

/** For messages. Masked unless it begins like a key ID: swapped, it is the secret. */
export function displayKeyId(keyId: string): string {
  return keyId.startsWith('key_') ? keyId : `a value that does not begin with key_, ${maskSecret(keyId)}`;
}
