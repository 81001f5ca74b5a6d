import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface TerminalSession {
  /** All output so far, with escape sequences. */
  output(): string;
  shows(text: string): Promise<void>;
  /** Presses Ctrl-C. */
  stop(): Promise<void>;
  /** Waits for the end of the command. */
  ended(): Promise<void>;
}

export const columns = 72;

/** Runs a command in a terminal of `columns`, by script(1) of util-linux. */
export function openTerminal(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): TerminalSession {
  const line = `stty cols ${columns} rows 40; ${command}`;
  const child: ChildProcessWithoutNullStreams = spawn('script', ['-q', '-e', '-f', '-c', line, '/dev/null'], {
    stdio: 'pipe',
    cwd,
    env: { ...env },
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    output: () => output,
    async shows(text) {
      while (!output.includes(text))
        await once(child.stdout, 'data', { signal: AbortSignal.timeout(20_000) });
    },
    async stop() {
      child.stdin.write('\u0003');
      await closed;
    },
    async ended() {
      await closed;
    },
  };
}
