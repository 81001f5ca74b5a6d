import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { subcommand } from '../../cli/lazy-command.js';

/** A command line up to the cursor, as the parser would read it. */
export interface TypedLine {
  readonly command: CommandUnknownOpts;
  readonly operands: readonly string[];
  /** The option that takes the next word as its value. */
  readonly option: Option | undefined;
  readonly values: Readonly<Record<string, string>>;
  /** `--` was typed, so no options follow. */
  readonly literal: boolean;
}

export async function readTypedLine(words: readonly string[], root: CommandUnknownOpts): Promise<TypedLine> {
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
    if (valued === undefined || value === undefined) return { ...line, option: optionWaiting(command, word) };
    return { ...line, values: { ...values, [valued.attributeName()]: value } };
  }
  const child = operands.length === 0 ? await subcommand(command, word) : undefined;
  return child === undefined
    ? { ...line, operands: [...operands, word] }
    : { ...line, command: child, operands: [] };
}

export function splitValue(command: CommandUnknownOpts, word: string) {
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return { flag, value, option: flag === undefined ? undefined : optionNamed(command, flag) };
}

/** The option that takes the next word as its value, after a word such as `--output` or `-vo`. */
function optionWaiting(command: CommandUnknownOpts, word: string): Option | undefined {
  const flags = word.startsWith('--') ? [word] : [...word.slice(1)].map((letter) => `-${letter}`);
  const at = flags.findIndex((flag) => optionNamed(command, flag)?.required);
  return at === flags.length - 1 ? optionNamed(command, flags[at] ?? '') : undefined;
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
