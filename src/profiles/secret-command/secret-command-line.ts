import type { SecretCommand } from '../file/profile-file.js';

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

/** Splits plain words as sh would; gives other lines to the shell, and on Windows every line, for `.cmd` files. */
export function makeInvocation(command: SecretCommand, platform: NodeJS.Platform): Invocation {
  if (typeof command !== 'string') return direct(command);
  const words = platform === 'win32' ? undefined : splitPlainWords(command);
  return words === undefined ? { file: command, args: [], shell: true } : direct(words);
}

function direct([file = '', ...args]: readonly string[]): Invocation {
  return { file, args, shell: false };
}

// Literal characters and quotes that expand nothing, so that splitting is exactly the shell's.
const plainWord = /(?:[\w@%+:,./=-]|'[^']*'|"[^"$`\\]*")+/g;
const plainLine = new RegExp(`^[ \\t]*${plainWord.source}(?:[ \\t]+${plainWord.source})*[ \\t]*$`);

function splitPlainWords(line: string): string[] | undefined {
  const words = plainLine.test(line) ? line.match(plainWord) : null;
  // `NAME=value command` sets a variable for the command.
  return words === null || words[0].includes('=') ? undefined : words.map(unquoteWord);
}

function unquoteWord(text: string): string {
  return text.replace(/(['"])(.*?)\1/gs, '$2');
}
