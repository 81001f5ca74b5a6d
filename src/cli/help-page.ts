/** Columns; longer lines are hard to read. Also used for a pipe. */
export const widestHelp = 100;

/** @param columns of the terminal; `undefined` for a pipe */
export function helpWidth(columns: number | undefined): number {
  return Math.min(columns ?? widestHelp, widestHelp);
}

/** The words before a final `--help`, such as `connections create`; empty without arguments. Need not be a command. */
export function helpAskedFor(args: readonly string[]): string | undefined {
  if (args.length === 0) return '';
  const words = args.slice(0, -1);
  const isHelp = args.at(-1) === '--help' || args.at(-1) === '-h';
  return isHelp && words.every((word) => /^[a-z][a-z-]*$/.test(word)) ? words.join(' ') : undefined;
}

/** Name of the file with a command's help, which the build writes at full width. */
export function helpFileName(command: string): string {
  return `${['orgctl', ...command.split(' ')].filter((word) => word !== '').join('-')}.txt`;
}
