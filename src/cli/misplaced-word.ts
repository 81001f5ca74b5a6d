import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { closestMatch } from 'leven';
import { advise, UsageError } from '../errors/errors.js';
import { ofRunningServer } from './habits.js';
import { toCommandLine } from './lazy-command.js';
import { isDestructive } from './usage-error.js';

/** A word where only a subcommand or `--` may stand: a mistyped subcommand, one of `orgctl local`, or a program. */
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
  const near = closestMatch(word, [...names], { maxDistance: 2 });
  if (near !== undefined && !isDestructive(near))
    return advise([...toCommandLine(command).split(' '), near], (text) => `did you mean ${text}?`);
  const root = toCommandLine(command).split(' ').slice(0, -1);
  return names.length > 0 && ofRunningServer.includes(word) ? advise([...root, 'local', word]) : undefined;
}
