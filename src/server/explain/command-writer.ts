/** Writes a pasteable shell command from its words after the program's name. */
export type WriteCommand = (words: readonly string[]) => string;

/** Writes commands that control a server; without the option, as for one found automatically. */
export function chooseWriter({
  writeCommand,
}: {
  readonly writeCommand?: WriteCommand | undefined;
}): WriteCommand {
  return writeCommand ?? ((words) => ['orgctl', ...words].join(' '));
}
