/** Columns of the widest help: longer lines are hard to read, however wide the terminal is. In a pipe it is as wide. */
export const widestHelp = 100;

/** How many columns a page of help takes on a terminal of this width; undefined stands for a pipe. */
export function helpWidth(columns: number | undefined): number {
  return Math.min(columns ?? widestHelp, widestHelp);
}

/**
 * The command whose help is asked for and nothing else, such as `connections create`, the root being the empty text;
 * `undefined` for any other command line. What the words say need not be a command.
 */
export function helpAskedFor(args: readonly string[]): string | undefined {
  if (args.length === 0) return '';
  const words = args.slice(0, -1);
  const isHelp = args.at(-1) === '--help' || args.at(-1) === '-h';
  return isHelp && words.every((word) => /^[a-z][a-z-]*$/.test(word)) ? words.join(' ') : undefined;
}

/** The name of the file that holds a command's help at its widest, made by the build; the command is as above. */
export function helpFileName(command: string): string {
  return `${['orgctl', ...command.split(' ')].filter((word) => word !== '').join('-')}.txt`;
}
