import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export interface PseudoTerminal {
  /** Types keys, such as a command with its `\r`, or `'\u001a'` for Ctrl-Z. */
  type(keys: string): void;
  /** Waits for this text after what was last waited for; returns the output up to its end. */
  shows(text: string | RegExp): Promise<string>;
}

const longest = 30_000;

/** Starts bash in script(1) of util-linux with `env` and PATH, and waits for its prompt `$ `. It ends with the test. */
export async function pseudoTerminal(
  env: Readonly<Record<string, string>>,
  { columns = 80, rows = 24 } = {},
): Promise<PseudoTerminal> {
  const shell = 'bash --norc --noprofile --noediting -i';
  const child = spawn('script', ['-q', '-e', '-c', shell, '/dev/null'], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], PS1: '$ ', TERM: 'xterm', HISTFILE: '', ...env },
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const find = (text: string | RegExp) => {
    const rest = screen.slice(seen);
    if (typeof text === 'string') return rest.includes(text) ? rest.indexOf(text) + text.length : undefined;
    const found = text.exec(rest);
    return found === null ? undefined : found.index + found[0].length;
  };
  const terminal: PseudoTerminal = {
    type: (keys) => void child.stdin.write(keys),
    async shows(text) {
      const signal = AbortSignal.timeout(longest);
      for (let length = find(text); ; length = find(text)) {
        if (length !== undefined) {
          const shown = screen.slice(seen, seen + length);
          seen += length;
          return shown;
        }
        await once(child.stdout, 'data', { signal }).catch((cause: unknown) => {
          const rest = JSON.stringify(screen.slice(seen));
          throw new Error(`the terminal does not show ${text}: ${rest}`, { cause });
        });
      }
    },
  };
  await terminal.shows('$ ');
  terminal.type(`stty cols ${columns} rows ${rows}\r`);
  await terminal.shows('$ ');
  return terminal;
}
