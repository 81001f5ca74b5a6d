import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Passes `--` and all words after it to the action, unparsed: they are a command to run. */
export function keepDashes(command: CommandUnknownOpts): void {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (args) => {
    const at = args.indexOf('--');
    if (at === -1) return parse(args);
    const { operands, unknown } = parse(args.slice(0, at));
    const after = args.slice(at);
    const isVerb = command.commands.some((each) => each.name() === operands[0]);
    return isVerb || unknown.length > 0
      ? { operands, unknown: [...unknown, ...after] }
      : { operands: [...operands, ...after], unknown };
  };
}

/** The words of the command to run; empty without one. @throws UsageError for words before `--` */
export async function wordsAfterDashes(
  [first, ...words]: readonly string[],
  command: CommandUnknownOpts,
): Promise<readonly string[]> {
  if (first === undefined || first === '--') return words;
  const { refuseMisplacedWord } = await import('./misplaced-word.js');
  throw refuseMisplacedWord([first, ...words], command);
}
