/** A word of a POSIX shell, whatever is in it: nothing is special in single quotes but their end. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command that reads lines: as they are, to the first that is the word which ends them. */
export function hereDocument(command: string, lines: string): string {
  let end = 'END';
  while (lines.split('\n').includes(end)) end += '_';
  return `${command} <<'${end}'\n${lines}\n${end}`;
}
