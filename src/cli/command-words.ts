import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';

/** The code of the error for a word before `--`. */
export const misplacedWordCode = 'orgctl.misplacedWord';

const runners = new WeakSet<CommandUnknownOpts>();

/** Whether the command runs the words after `--`. */
export function runsProgram(command: CommandUnknownOpts): boolean {
  return runners.has(command);
}

/** Passes `--` and all words after it to the action, unparsed: they are a command to run. */
export function keepDashes(command: CommandUnknownOpts): void {
  runners.add(command);
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

/** The words of the command to run; empty without one. @throws CommanderError for words before `--` */
export function wordsAfterDashes([first, ...words]: readonly string[]): readonly string[] {
  if (first === undefined || first === '--') return words;
  throw new CommanderError(1, misplacedWordCode, 'misplaced word');
}

/** Lets an option take its optional value from `--option=value`, or from the next word if that is one of `values`. */
export function keepNextWord(command: CommandUnknownOpts, option: string, values: readonly string[]): void {
  const parseOptions = command.parseOptions.bind(command);
  command.parseOptions = (words) => parseOptions(moveBehindWords(words, option, values));
}

function moveBehindWords(words: readonly string[], option: string, values: readonly string[]): string[] {
  const at = words.indexOf(option);
  const end = words.indexOf('--');
  if (at === -1 || (end !== -1 && end < at) || values.includes(words[at + 1] ?? '')) return [...words];
  const behind = words.findIndex((word, index) => index > at && word.length > 1 && word.startsWith('-'));
  return words.toSpliced(at, 1).toSpliced((behind === -1 ? words.length : behind) - 1, 0, option);
}
