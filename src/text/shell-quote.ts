/** A word of a POSIX shell. Within single quotes only the quote is special: close, escape and reopen. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value in a .env file: in quotes only where it needs them, because some readers keep them. */
export function quoteForDotenv(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell(text);
}
