/** Quotes a word for a POSIX shell. Single quotes protect everything except the quote: close, escape, reopen. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value in a .env file; quoted only if necessary, because some readers keep the quotes. */
export function quoteForDotenv(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell(text);
}
