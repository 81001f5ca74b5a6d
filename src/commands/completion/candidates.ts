import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { type Candidate, subcommandsOf } from './candidate.js';
import { optionNamed, readTypedLine, type TypedLine } from './typed-line.js';
import { argumentValues, optionValues, type Values } from './values.js';

/** Candidates that begin with the word at the cursor; `files` where the shell's own file names fit. */
export async function candidates(
  words: readonly string[],
  root: CommandUnknownOpts,
  context: Pick<Context, 'profiles'>,
): Promise<readonly Candidate[] | 'files'> {
  const word = words.at(-1) ?? '';
  const line = await readTypedLine(words.slice(0, -1), root);
  const [, flag, begun] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  if (line.option === undefined && !line.literal && flag !== undefined && begun !== undefined) {
    const option = optionNamed(line.command, flag);
    const values = option && (await optionValues(option, context));
    return startingWith(begun, values ?? [], `${flag}=`);
  }
  return startingWith(word, await fitting(word, line, context));
}

function startingWith(begun: string, values: Values, before = ''): readonly Candidate[] | 'files' {
  if (values === 'files') return 'files';
  return values
    .filter(({ value }) => value.startsWith(begun))
    .map((candidate) => ({ ...candidate, value: `${before}${candidate.value}` }));
}

async function fitting(word: string, line: TypedLine, context: Pick<Context, 'profiles'>): Promise<Values> {
  const { command, operands, option, literal } = line;
  if (option !== undefined) return optionValues(option, context);
  if (!literal && word.startsWith('-')) return optionsOf(command);
  // `serve -- ` begins a command of another program.
  const takesArguments = literal && command.registeredArguments.length > 0;
  if (command.commands.length > 0 && !takesArguments)
    return operands.length === 0 ? subcommandsOf(command) : [];
  return argumentValues(command, operands, context);
}

function optionsOf(command: CommandUnknownOpts): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({ value: flagOf(option), description: option.description }));
}

function flagOf({ long, short }: Option): string {
  return long ?? short ?? '';
}
