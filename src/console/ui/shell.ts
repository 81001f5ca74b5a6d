/** Quotes a word for a POSIX shell: within single quotes, only a single quote is special. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command with a here-document, which the shell does not expand. */
export function hereDocument(command: string, lines: string): string {
  let end = 'END';
  while (lines.split('\n').includes(end)) end += '_';
  return `${command} <<'${end}'\n${lines}\n${end}`;
}
