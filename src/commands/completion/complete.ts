import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { sentMethods } from '../../api/control/calls.js';
import { collectionPaths } from '../../api/operations.js';
import { quotaKinds } from '../../api/resources/index.js';
import { argument, command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { listChoices } from '../../cli/global-options.js';
import { subcommand } from '../../cli/lazy-command.js';
import { storedKeys } from '../../profiles/file/parse-profile-file.js';
import { isProfileName } from '../../profiles/file/store.js';
import { sanitize } from '../../terminal/text/sanitize.js';
import type { Candidate } from './resource-names.js';

/** Prints a line per candidate, with a description after a tab; or `:files` to let the shell complete file names. */
export const completeLine = command({
  description: 'Print completions for a command line. The completion scripts call this.',
  args: [
    argument('[words...]', 'after --: the words of the line without orgctl; the last one is being typed'),
  ],
  options: [option('--line <text>', 'the whole line up to the cursor, instead of the words')],
  examples: [],
  async run(context, [words], { line }, parser) {
    const typed = line === undefined ? words : shellWords(line).slice(1);
    const found = await candidates(typed, parser.parent ?? parser, context);
    // Unescaped, a line feed in a description would add a candidate.
    const lines =
      found === 'files'
        ? [':files\n']
        : found.map(({ value, description = '' }) => `${value}\t${sanitize(description)}\n`);
    await context.streams.stdout.write(lines.join(''));
  },
});

async function candidates(
  words: readonly string[],
  root: CommandUnknownOpts,
  context: Context,
): Promise<Values> {
  const word = words.at(-1) ?? '';
  const line = await readTypedLine(words.slice(0, -1), root);
  const isFlag = line.option === undefined && !line.literal;
  const { flag, value, option } = isFlag ? splitValue(line.command, word) : {};
  const before = flag === undefined ? '' : `${flag}=`;
  const found =
    flag === undefined
      ? await findFitting(word, line, context)
      : option && (await optionValues(option, context));
  if (found === 'files') return found;
  return (found ?? [])
    .filter((each) => each.value.startsWith(value ?? word))
    .map((each) => ({ ...each, value: `${before}${each.value}` }));
}

async function findFitting(word: string, line: TypedLine, context: Context): Promise<Values> {
  const { command, operands, option, literal } = line;
  if (option !== undefined) return optionValues(option, context);
  if (!literal && word.startsWith('-')) {
    const options = command.createHelp().visibleOptions(command);
    return options.map(({ long, short, description }) => ({ value: long ?? short ?? '', description }));
  }
  // After `serve --` comes the command line of another program.
  const takesArguments = literal && command.registeredArguments.length > 0;
  if (command.commands.length > 0 && !takesArguments)
    return operands.length === 0 ? listSubcommands(command) : [];
  return argumentValues(line, context);
}

type Values = readonly Candidate[] | 'files';

function listSubcommands(command: CommandUnknownOpts): Candidate[] {
  const children = command.createHelp().visibleCommands(command);
  return children.map((child) => ({ value: child.name(), description: child.summary() }));
}

/** Values of an option: its choices, or files if the placeholder is a file or directory. */
async function optionValues(option: Option, context: Context): Promise<Values> {
  const choices = listChoices(option);
  if (choices !== undefined) return toCandidates(choices);
  if (option.long === '--profile') return profileNames(context);
  if (option.long === '--kind') return toCandidates(quotaKinds);
  return /<(file|path|dir)\b/.test(option.flags) ? 'files' : [];
}

/** Values of a command's next argument, or of its last one if that is repeatable. */
async function argumentValues({ command, operands, values }: TypedLine, context: Context): Promise<Values> {
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  if (argument?.argChoices !== undefined) return toCandidates(argument.argChoices);
  const { parent } = command;
  switch (argument?.name()) {
    case 'id-or-name': {
      const { resourceNames } = await import('./resource-names.js');
      const flags = Object.fromEntries(storedKeys.map((key) => [key, values[key]]));
      return resourceNames(parent?.name() ?? '', { ...flags, profile: values['profile'] }, context);
    }
    case 'method':
      return toCandidates(sentMethods);
    case 'target':
      return toCandidates(collectionPaths());
    case 'name':
      return parent?.name() === 'profile' && command.name() !== 'add' ? profileNames(context) : [];
    case 'file':
    case 'command':
      return 'files';
    default:
      return [];
  }
}

function toCandidates(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value }));
}

/** Valid names only, because candidates reach a command line unquoted. Completion shows no errors. */
async function profileNames({ profiles }: Context): Promise<Values> {
  const stored = await profiles()
    .read()
    .then((file) => Object.entries(file.profiles))
    .catch(() => []);
  return stored
    .filter(([name]) => isProfileName(name))
    .map(([value, { baseUrl: description }]) => ({ value, description }));
}

/** A command line up to the cursor, as the parser would read it. */
interface TypedLine {
  readonly command: CommandUnknownOpts;
  readonly operands: readonly string[];
  /** The option that takes the next word as its value. */
  readonly option: Option | undefined;
  readonly values: Readonly<Record<string, string>>;
  /** `--` was typed, so no options follow. */
  readonly literal: boolean;
}

async function readTypedLine(words: readonly string[], root: CommandUnknownOpts): Promise<TypedLine> {
  let line: TypedLine = { command: root, operands: [], option: undefined, values: {}, literal: false };
  for (const word of words) line = await afterWord(line, word);
  return line;
}

async function afterWord(line: TypedLine, word: string): Promise<TypedLine> {
  const { command, operands, option, values, literal } = line;
  if (option !== undefined)
    return { ...line, option: undefined, values: { ...values, [option.attributeName()]: word } };
  if (!literal && word === '--') return { ...line, literal: true };
  if (!literal && word.length > 1 && word.startsWith('-')) {
    const { option: valued, value } = splitValue(command, word);
    if (valued !== undefined && value !== undefined)
      return { ...line, values: { ...values, [valued.attributeName()]: value } };
    const waiting = optionNamed(command, word);
    return { ...line, option: waiting?.required ? waiting : undefined };
  }
  const child = operands.length === 0 ? await subcommand(command, word) : undefined;
  return child === undefined
    ? { ...line, operands: [...operands, word] }
    : { ...line, command: child, operands: [] };
}

function splitValue(command: CommandUnknownOpts, word: string) {
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return { flag, value, option: flag === undefined ? undefined : optionNamed(command, flag) };
}

function optionNamed(command: CommandUnknownOpts, flag: string): Option | undefined {
  return command.options.find(({ short, long }) => short === flag || long === flag);
}

/** Splits an unfinished line by POSIX quoting rules. The last word, at the cursor, is empty after a space. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part] of line.matchAll(/\s+|'[^']*'?|"(?:\\.|[^"\\])*"?|\\.?|[^\s'"\\]+/gs)) {
    if (/^\s/.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = `${word ?? ''}${unquotePart(part)}`;
    }
  }
  return [...words, word ?? ''];
}

function unquotePart(part: string): string {
  if (part.startsWith("'")) return part.replaceAll("'", '');
  if (part.startsWith('"')) return part.replace(/^"|(?<!\\)"$/g, '').replace(/\\(["\\$`])/g, '$1');
  return part.replace(/^\\/, '');
}
