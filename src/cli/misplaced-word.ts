import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { closestMatch } from 'leven';
import { advise } from '../errors/advice.js';
import { UsageError } from '../errors/errors.js';
import { ofRunningServer } from './habits.js';
import { toCommandLine } from './lazy-command.js';
import { isDestructive } from './usage-error.js';

/** The error for a word where only a subcommand or `--` may stand, such as a mistyped subcommand or a program. */
export function refuseMisplacedWord(
  words: readonly [string, ...string[]],
  command: CommandUnknownOpts,
): UsageError {
  const [word] = words;
  const line = toCommandLine(command);
  const names = command.commands.map((each) => each.name());
  const quoted = JSON.stringify(word);
  const what = names.length === 0 ? `unexpected ${quoted}` : `${quoted} is not a subcommand`;
  return new UsageError(
    `${line}: ${what}`,
    words.length > 1
      ? adviseDashes(words, line)
      : (adviseVerb(word, names, command) ?? adviseDashes(words, line)),
  );
}

function adviseDashes(words: readonly string[], line: string) {
  const command = [...line.split(' '), '--', ...words.filter((word) => word !== '--')];
  return advise(command, (text) => `put -- before the command: ${text}`);
}

function adviseVerb(word: string, names: readonly string[], command: CommandUnknownOpts) {
  const [root = '', ...line] = toCommandLine(command).split(' ');
  const near = findNear(word, names, 2);
  if (near !== undefined) return adviseNear([root, ...line, near]);
  if (names.length === 0) return undefined;
  if (ofRunningServer.includes(word)) return advise([root, 'local', word]);
  // A short word, such as `ls`, is more likely a program.
  const other = findNear(word, ofRunningServer, word.length < 5 ? 1 : 2);
  return other === undefined ? undefined : adviseNear([root, 'local', other]);
}

function findNear(word: string, names: readonly string[], maxDistance: number): string | undefined {
  const near = closestMatch(word, [...names], { maxDistance });
  return near === undefined || isDestructive(near) ? undefined : near;
}

function adviseNear(command: readonly string[]) {
  return advise([...command], (text) => `did you mean ${text}?`);
}
