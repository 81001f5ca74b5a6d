/** A quoted word of a POSIX shell: only the closing quote is special in single quotes. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command with a here-document, without expansion. */
export function hereDocument(command: string, lines: string): string {
  let end = 'END';
  while (lines.split('\n').includes(end)) end += '_';
  return `${command} <<'${end}'\n${lines}\n${end}`;
}
