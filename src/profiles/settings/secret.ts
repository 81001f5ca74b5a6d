/** Drops one trailing newline of a secret or password that came from stdin, the environment, a file or a command. */
export function dropTrailingNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** What may be shown of a secret: that it is set, its length, and of a long one the last four characters. */
export function maskSecret(secret: string): string {
  const ending = secret.length < 32 ? '' : `, ends in ${secret.slice(-4)}`;
  return `set (${secret.length} characters${ending})`;
}

/**
 * A key ID as messages may show it. When key ID and secret are swapped, this is the secret, so a text that does not
 * begin like a key ID is masked.
 */
export function displayKeyId(keyId: string): string {
  return keyId.startsWith('key_') ? keyId : `a value that does not begin with key_, ${maskSecret(keyId)}`;
}
