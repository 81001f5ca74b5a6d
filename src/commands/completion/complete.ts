import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { sanitize } from '../../terminal/sanitize.js';
import type { Candidate } from './candidate.js';
import { candidates } from './candidates.js';
import { shellWords } from './shell-words.js';

/**
 * `orgctl __complete`: what the completion scripts ask. Prints candidates, one a line, a tab before each description,
 * or the line `:files`. Reads the profiles at most, and never calls the service.
 */
export function complete(command: Command, context: Context, run = printCandidates): void {
  command
    .description('Print what could come next on a command line. The completion scripts call this.')
    .argument('[words...]', 'the words after orgctl, after --; the last is the one being typed')
    .option('--line <text>', 'the whole line up to the cursor, in place of words')
    .action((words, { line }) =>
      run(line === undefined ? words : shellWords(line).slice(1), command.parent ?? command, context),
    );
}

export async function printCandidates(
  words: readonly string[],
  root: CommandUnknownOpts,
  context: Pick<Context, 'profiles' | 'streams'>,
): Promise<void> {
  const found = await candidates(words, root, context);
  await context.streams.stdout.write(found === 'files' ? ':files\n' : found.map(lineOf).join(''));
}

// A description may come from the profiles' file, and a tab or line feed in it would be read as another candidate.
function lineOf({ value, description = '' }: Candidate): string {
  return `${value}\t${sanitize(description)}\n`;
}
