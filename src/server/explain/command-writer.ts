/** A command for a shell, which works when pasted, from its words but the first. */
export type WriteCommand = (words: readonly string[]) => string;

/** How commands are written that steer a server; without the option, as for one that is found by itself. */
export function chooseWriter({
  writeCommand,
}: {
  readonly writeCommand?: WriteCommand | undefined;
}): WriteCommand {
  return writeCommand ?? ((words) => ['orgctl', ...words].join(' '));
}
