import type { SecretCommand } from '../file/profile-file.js';

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

/** Plain words are split as sh would; other lines go to the shell. On Windows cmd gets every line: it finds `.cmd` files. */
export function makeInvocation(command: SecretCommand, platform: NodeJS.Platform): Invocation {
  if (typeof command !== 'string') return direct(command);
  const words = platform === 'win32' ? undefined : splitPlainWords(command);
  return words === undefined ? { file: command, args: [], shell: true } : direct(words);
}

function direct([file = '', ...args]: readonly string[]): Invocation {
  return { file, args, shell: false };
}

// Literal characters of sh, and quotes that expand nothing. Splitter packages read or drop `|`, `$` and backquotes; this
// splits only where the shell would do exactly the same.
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
