import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { closestMatch } from 'leven';
import { type Advice, advise } from '../errors/advice.js';
import { redactedTarget } from '../redaction/redact.js';
import { isDestructive, ofRunningServer } from './habits.js';
import { toCommandLine } from './lazy-command.js';

/** Says that a word stands where only a subcommand or `--` may stand. */
export function describeMisplacedWord(command: CommandUnknownOpts): string {
  const quoted = JSON.stringify(command.args[0]);
  const what = command.commands.length === 0 ? `unexpected ${quoted}` : `${quoted} is not a subcommand`;
  return `${toCommandLine(command)}: ${what}`;
}

/**
 * Advice for a mistyped subcommand or a program without `--`; `undefined` if the typed words have neither.
 * With `mayBeOwn`, an option after that word may be one of the command's.
 */
export function adviseMisplacedWord(
  typed: readonly string[],
  command: CommandUnknownOpts,
  mayBeOwn: boolean,
): Advice | undefined {
  const line = toCommandLine(command).split(' ');
  const options = [...command.options, ...(command.parent?.options ?? [])];
  const { operands, known, unknown = typed.length } = readLine(typed, options);
  const [at = typed.length, ...others] = operands.slice(line.length - 1);
  const word = typed[at];
  // After an unknown option, the word may be its value.
  if (word === undefined || unknown < at) return undefined;
  const verb = others.length > 0 ? undefined : adviseVerb(word, command);
  if (verb !== undefined) return verb;
  // Options before the subcommand mean the same after it.
  const before = typed.slice(0, at).filter((_word, index) => !operands.includes(index));
  const isUnclear = mayBeOwn || known.some((index) => index > at);
  if (isUnclear || mayHoldSecret([...before, ...typed.slice(at)]))
    return {
      hint: `put -- before ${JSON.stringify(word)}, and the options of ${line.join(' ')} before the --`,
    };
  const words = [...line, ...before, '--', ...typed.slice(at)];
  return advise(words, (text) => `put -- before the command: ${text}`);
}

const secretNames = /(?:secret|password|token)=|(?:^| )--?(?:secret|password|token) |--key-id[ =](?!key_)/i;

function mayHoldSecret(words: readonly string[]): boolean {
  return secretNames.test(words.join(' ')) || words.some((word) => redactedTarget(word) !== word);
}

/** Where operands and options stand before any `--`, by the parser's rules. */
interface ReadLine {
  readonly operands: readonly number[];
  readonly known: readonly number[];
  /** The first unknown option. */
  readonly unknown: number | undefined;
}

function readLine(words: readonly string[], options: readonly Option[]): ReadLine {
  const operands: number[] = [];
  const known: number[] = [];
  let unknown: number | undefined;
  const dashes = words.indexOf('--');
  const end = dashes === -1 ? words.length : dashes;
  for (let at = 0; at < end; at += 1) {
    const word = words[at] ?? '';
    const read = readOption(word, options);
    if (read !== undefined) known.push(at);
    else if (word.length > 1 && word.startsWith('-')) unknown ??= at;
    else operands.push(at);
    if (read?.takesNext) at += 1;
  }
  return { operands, known, unknown };
}

/** `undefined` for all but a known option, such as `--port`, `--port=0`, `-ojson` or `-qo`. */
function readOption(word: string, options: readonly Option[]): { readonly takesNext: boolean } | undefined {
  const find = (name: string) => options.find(({ short, long }) => short === name || long === name);
  const whole = find(word);
  if (whole !== undefined) return { takesNext: whole.required };
  if (word.startsWith('--')) return find(word.replace(/=.*/s, '')) && { takesNext: false };
  const first = /^-./.test(word) ? find(word.slice(0, 2)) : undefined;
  if (first === undefined) return undefined;
  return (first.required ? undefined : readOption(`-${word.slice(2)}`, options)) ?? { takesNext: false };
}

function adviseVerb(word: string, command: CommandUnknownOpts): Advice | undefined {
  const names = command.commands.map((each) => each.name());
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
