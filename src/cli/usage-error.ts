import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Advice, advise } from '../errors/advice.js';
import { UsageError } from '../errors/errors.js';
import { isNear } from '../text/near-word.js';
import { misplacedWordCode, runsProgram } from './command-words.js';
import { adviseHabit, isDestructive } from './habits.js';
import { chosenCommand, namesHelp, toCommandLine } from './lazy-command.js';
import { adviseMisplacedWord, describeMisplacedWord } from './misplaced-word.js';

const noValue = ' takes no value';

/** Translates an error of the parser for the typed words, and adds a hint. */
export function toUsageError(
  error: CommanderError,
  root: CommandUnknownOpts,
  typed: readonly string[],
): UsageError {
  const command = chosenCommand(root);
  if (error.code === misplacedWordCode)
    return new UsageError(describeMisplacedWord(command), adviseMisplacedWord(typed, command, false));
  const line = toCommandLine(command);
  if (error.code === 'commander.help') {
    return new UsageError(`${line}: the subcommand is missing`, adviseSubcommands(command));
  }
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n(');
  const described = describeParserError(error.code, message, command);
  const meant = described.endsWith(noValue) ? undefined : suggestion;
  return new UsageError(described, adviseUsage(error, message, meant, command, typed));
}

function describeParserError(code: string, message: string, command: CommandUnknownOpts): string {
  if (code === 'commander.excessArguments') return describeExcess(command);
  // The parser's message would show the value of an unknown option, such as --secret=….
  const [option, value] = splitAtFirst(message, '=');
  if (option.startsWith("unknown option '--") && value !== undefined) {
    const name = option.slice("unknown option '".length);
    return isKnownOption(name, command) ? `${name}${noValue}` : `${option}'`;
  }
  return describeChoices(message) ?? message;
}

/** Whether an option with this name belongs to the command or to one of its parents. */
function isKnownOption(name: string, command: CommandUnknownOpts | null): boolean {
  if (command === null) return false;
  return command.options.some(({ long }) => long === name) || isKnownOption(name, command.parent);
}

/** Names the invalid value and the allowed ones; `undefined` if the message is not about choices. */
function describeChoices(message: string): string | undefined {
  const [given, choices] = splitAtLast(message, '. Allowed choices are ');
  if (choices === undefined) return undefined;
  const allowed = choices.replace(/\.$/, '');
  const [argument, name] = splitAtLast(given, "' is invalid for argument '");
  if (name !== undefined) {
    const value = argument.slice("command-argument value '".length);
    return `<${name.slice(0, -1)}>: ${JSON.stringify(value)} is not one of ${allowed}`;
  }
  const [flags, value = ''] = given.split("' argument '", 2);
  const option = /--[\w-]+/.exec(flags ?? '')?.[0] ?? 'option';
  return `${option}: ${JSON.stringify(value.replace(/' is invalid$/, ''))} is not one of ${allowed}`;
}

function splitAtFirst(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

function splitAtLast(text: string, separator: string): readonly [string, string?] {
  const at = text.lastIndexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Omits the words, because one may be a secret. */
function describeExcess(command: CommandUnknownOpts): string {
  const line = toCommandLine(command);
  const given = command.args.length;
  const names = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  if (names.length === 0) return `${line} takes no arguments, but got ${given}`;
  const accepted = names.length === 1 ? `one ${names[0]}` : names.join(' ');
  return `${line} takes ${accepted}, but got ${given} arguments`;
}

function adviseUsage(
  { code }: CommanderError,
  message: string,
  suggestion: string | undefined,
  command: CommandUnknownOpts,
  typed: readonly string[],
): Advice {
  if (/^unknown option '--?(secret|password)\b/.test(message)) {
    const sources = sourcesOfSecret(command);
    return {
      hint: `secrets are never passed as arguments, which every user of the machine can read: ${sources}`,
    };
  }
  if (code === 'commander.unknownOption' && runsProgram(command)) {
    const misplaced = adviseMisplacedWord(typed, command, suggestion !== undefined);
    if (misplaced !== undefined) return misplaced;
  }
  const known = adviseHabit(message, command);
  if (known !== undefined) return known;
  const near = suggestion === undefined ? [] : nearNames(message, suggestion, command);
  if (near.length > 0) return { hint: `did you mean ${near.length > 1 ? 'one of ' : ''}${near.join(', ')}?` };
  if (code === 'commander.unknownCommand') return adviseSubcommands(command);
  const usage = command.createHelp().commandUsage(command);
  const choices = command.registeredArguments.flatMap((each) =>
    each.argChoices === undefined ? [] : [` (${each.name()}: ${each.argChoices.join(', ')})`],
  );
  const mayBeValue = /^unknown option '-[^-]/.test(message) && command.registeredArguments.length > 0;
  const operand = mayBeValue ? '; put -- before a value that begins with a hyphen' : '';
  return advise(namesHelp(command), (more) => `usage: ${usage}${choices.join('')}${operand}; more: ${more}`);
}

/** The harmless ones among the names that the parser suggests, which may have little in common with the word. */
function nearNames(message: string, suggestion: string, { commands }: CommandUnknownOpts): readonly string[] {
  const [, word = ''] = /'-{0,2}([^']*)'$/.exec(message) ?? [];
  const [, names = ''] = /^Did you mean (?:one of )?(.*)\?\)$/.exec(suggestion) ?? [];
  const aliases = commands.flatMap((each) => each.aliases());
  return names
    .split(', ')
    .filter((name) => !aliases.includes(name) && !isDestructive(name))
    .filter((name) => isNear(word, name.replace(/^--/, '')));
}

function sourcesOfSecret({ options }: CommandUnknownOpts): string {
  const own = options.filter(({ long }) => /^--(secret|password)-(stdin|env)$/.test(long ?? ''));
  if (own.length === 0)
    return 'set ORGCTL_SECRET or ORGCTL_SECRET_FILE, or store one with orgctl profile add';
  return `${own.map(({ flags }) => flags).join(' or ')}; on a terminal orgctl asks for it`;
}

function adviseSubcommands(command: CommandUnknownOpts): Advice {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => child.name());
  return advise(namesHelp(command), (more) => `one of ${names.join(', ')}; more: ${more}`);
}
