/** Drops one trailing newline of a secret or password that came from stdin, the environment, a file or a command. */
export function dropTrailingNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/**
 * What may be shown of a secret: that it is set, its length, and the last four characters where these are too few to
 * help a guess.
 */
export function maskSecret(secret: string): string {
  const ending = secret.length < 32 ? '' : `, ends in ${secret.slice(-4)}`;
  return `set (${secret.length} characters${ending})`;
}

/**
 * A key ID as messages may show it. Whoever swaps key ID and secret types the secret here, so what does not begin as
 * key IDs do is masked.
 */
export function displayKeyId(keyId: string): string {
  return keyId.startsWith('key_') ? keyId : `a value that does not begin with key_, ${maskSecret(keyId)}`;
}
