import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { argument, command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { sanitize } from '../../terminal/text/sanitize.js';
import { readTypedLine, shellWords, splitValue, type TypedLine } from './line.js';
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
