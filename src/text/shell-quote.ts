/** Quotes a word for a POSIX shell. Single quotes protect everything except the quote: close, escape, reopen. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quoted only if necessary: some readers of .env files keep the quotes. */
export function quoteIfNeeded(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell(text);
}
