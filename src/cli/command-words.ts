import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.js';
import { isGlobal } from './global-options.js';

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

/** The words after `--`: a command to run, or none. @throws UsageError for words before `--` */
export function wordsAfterDashes([first, ...words]: readonly string[]): readonly string[] {
  if (first === undefined || first === '--') return words;
  throw new UsageError('unexpected word', {
    hint: 'put -- before a command to run; for subcommands, see --help',
  });
}

/** Makes an option that takes only `value` leave any other next word to the command, as in `--prune FILE`. */
export function keepNextWord(command: CommandUnknownOpts, option: string, value: string): void {
  const parseOptions = command.parseOptions.bind(command);
  command.parseOptions = (words) => {
    const at = words.indexOf(option);
    const end = words.indexOf('--');
    if (at === -1 || (end !== -1 && end < at) || words[at + 1] === value) return parseOptions(words);
    const behind = words.findIndex((word, index) => index > at && word.length > 1 && word.startsWith('-'));
    const place = (behind === -1 ? words.length : behind) - 1;
    return parseOptions(words.toSpliced(at, 1).toSpliced(place, 0, option));
  };
}

/** Refuses options before a subcommand's name, where they would have no effect. */
export function refuseOptionsBefore(command: Command): void {
  command.hook('preAction', () => {
    const { parent } = command;
    const own = parent?.options.filter((option) => !isGlobal(option)) ?? [];
    if (own.every((option) => parent?.getOptionValueSource(option.attributeName()) !== 'cli')) return;
    const what = `options before ${command.name()} do not apply to it; put its options after its name`;
    throw new UsageError(what, { hint: `usage: ${command.createHelp().commandUsage(command)}` });
  });
}
