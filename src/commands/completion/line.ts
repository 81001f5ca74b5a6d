import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { subcommand } from '../../cli/lazy-command.js';

/** A command line up to the cursor, as the parser would read it. */
export interface TypedLine {
  readonly command: CommandUnknownOpts;
  readonly operands: readonly string[];
  readonly option: Option | undefined;
  readonly values: Readonly<Record<string, string>>;
  /** `--` was typed, so no options follow. */
  readonly literal: boolean;
}

/** Reads word by word, and loads each command that a word names. */
export async function readTypedLine(words: readonly string[], root: CommandUnknownOpts): Promise<TypedLine> {
  let line: TypedLine = { command: root, operands: [], option: undefined, values: {}, literal: false };
  for (const word of words) line = await afterWord(line, word);
  return line;
}

async function afterWord(line: TypedLine, word: string): Promise<TypedLine> {
  if (line.option !== undefined) {
    const values = { ...line.values, [line.option.attributeName()]: word };
    return { ...line, option: undefined, values };
  }
  if (!line.literal && word === '--') return { ...line, literal: true };
  if (!line.literal && word.length > 1 && word.startsWith('-')) {
    return { ...line, option: optionWaiting(line.command, word), values: withValue(line, word) };
  }
  const child = line.operands.length === 0 ? await subcommand(line.command, word) : undefined;
  return child === undefined
    ? { ...line, operands: [...line.operands, word] }
    : { ...line, command: child, operands: [] };
}

function withValue({ command, values }: TypedLine, word: string): TypedLine['values'] {
  const [, flag = '', value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  const option = optionNamed(command, flag);
  return option === undefined || value === undefined
    ? values
    : { ...values, [option.attributeName()]: value };
}

/** The option that takes the next word as its value, after a word such as `--output` or `-vo`. */
function optionWaiting(command: CommandUnknownOpts, word: string): Option | undefined {
  if (word.startsWith('--')) return takingValue(command, word);
  for (const [at, letter] of [...word].entries()) {
    const option = takingValue(command, `-${letter}`);
    if (option !== undefined) return at === word.length - 1 ? option : undefined;
  }
  return undefined;
}

function takingValue(command: CommandUnknownOpts, flag: string): Option | undefined {
  const option = optionNamed(command, flag);
  return option?.required ? option : undefined;
}

export function optionNamed(command: CommandUnknownOpts, flag: string): Option | undefined {
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
