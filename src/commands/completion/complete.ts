import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { argument, command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { sanitize } from '../../terminal/text/sanitize.js';
import { optionNamed, readTypedLine, shellWords, type TypedLine } from './line.js';
import type { Candidate } from './resource-names.js';
import { argumentValues, listSubcommands, optionValues, type Values } from './values.js';

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
    await context.streams.stdout.write(found === 'files' ? ':files\n' : found.map(readWords).join(''));
  },
});

// Unescaped, a line feed in a description would add a candidate.
function readWords({ value, description = '' }: Candidate): string {
  return `${value}\t${sanitize(description)}\n`;
}

async function candidates(
  words: readonly string[],
  root: CommandUnknownOpts,
  context: Context,
): Promise<readonly Candidate[] | 'files'> {
  const word = words.at(-1) ?? '';
  const line = await readTypedLine(words.slice(0, -1), root);
  const [, flag, begun] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  if (line.option === undefined && !line.literal && flag !== undefined && begun !== undefined) {
    const option = optionNamed(line.command, flag);
    const values = option && (await optionValues(option, context));
    return keepBegun(begun, values ?? [], `${flag}=`);
  }
  return keepBegun(word, await findFitting(word, line, context));
}

function keepBegun(begun: string, values: Values, before = ''): readonly Candidate[] | 'files' {
  if (values === 'files') return 'files';
  return values
    .filter(({ value }) => value.startsWith(begun))
    .map((candidate) => ({ ...candidate, value: `${before}${candidate.value}` }));
}

async function findFitting(word: string, line: TypedLine, context: Context): Promise<Values> {
  const { command, operands, option, literal } = line;
  if (option !== undefined) return optionValues(option, context);
  if (!literal && word.startsWith('-')) return listOptions(command);
  // After `serve --` comes the command line of another program.
  const takesArguments = literal && command.registeredArguments.length > 0;
  if (command.commands.length > 0 && !takesArguments)
    return operands.length === 0 ? listSubcommands(command) : [];
  return argumentValues(line, context);
}

function listOptions(command: CommandUnknownOpts): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({ value: findTypedFlag(option), description: option.description }));
}

function findTypedFlag({ long, short }: Option): string {
  return long ?? short ?? '';
}
