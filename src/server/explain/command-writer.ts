/** Writes a shell command, ready to paste, from the words after the program's name. */
export type WriteCommand = (words: readonly string[]) => string;

/** The given writer of commands that control a server; by default, orgctl finds the server itself. */
export function chooseWriter({
  writeCommand,
}: {
  readonly writeCommand?: WriteCommand | undefined;
}): WriteCommand {
  return writeCommand ?? ((words) => ['orgctl', ...words].join(' '));
}
