/** Writes a shell command, ready to paste, from the words after the program's name. */
export type WriteCommand = (words: readonly string[]) => string;

/** The given writer; by default, one whose commands leave it to orgctl to find the server. */
export function chooseWriter({
  writeCommand,
}: {
  readonly writeCommand?: WriteCommand | undefined;
}): WriteCommand {
  return writeCommand ?? ((words) => ['orgctl', ...words].join(' '));
}
