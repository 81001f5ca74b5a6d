import type { SecretCommand } from '../file/profile-file.js';

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

/** Splits plain words as sh would. Leaves other lines to the shell, and on Windows every line, for `.cmd` files. */
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

/** Commands built into the shell (POSIX), which need not exist as programs. */
const builtIns: ReadonlySet<string> = new Set(
  '. : alias cd command eval exec exit export read return set trap type ulimit umask unset wait'.split(' '),
);

function splitPlainWords(line: string): string[] | undefined {
  const words = plainLine.test(line) ? line.match(plainWord) : null;
  // `NAME=value command` sets a variable for the command.
  if (words === null || words[0].includes('=') || builtIns.has(words[0])) return undefined;
  return words.map(unquoteWord);
}

function unquoteWord(text: string): string {
  return text.replace(/(['"])(.*?)\1/gs, '$2');
}
