import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isStandalone, orgctl, root } from './built-tool.js';
import { memorySystem } from './memory-system.js';
import type { Ended } from './run-cli.js';

export interface Start {
  readonly input?: string;
  readonly env?: Record<string, string | undefined>;
}

export function runBuiltTool(args: readonly string[], start: Start = {}): Promise<Ended> {
  const [file, ...first] = orgctl;
  return runProcess(file, [...first, ...args], start);
}

/** Runs the built command line in this process, which is faster. If the executable is tested, runs that instead. */
export async function runBundle(args: readonly string[], start: Start = {}): Promise<Ended> {
  if (isStandalone) return runBuiltTool(args, start);
  const bundle: typeof import('../../src/command-line.js') = createRequire(import.meta.url)(
    join(root, 'dist', 'cli', 'command-line.cjs'),
  );
  const env = { PATH: process.env['PATH'], ...start.env };
  const system = memorySystem({ argv: args, env, stdin: start.input ?? '' });
  const code = await bundle.runCommandLine(system, args);
  return { code, stdout: system.stdoutText(), stderr: system.stderrText() };
}

/** Runs a program in the project's directory. It inherits only PATH. */
export function runProcess(
  file: string,
  args: readonly string[],
  { input = '', env = {} }: Start = {},
): Promise<Ended> {
  const child = spawn(file, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // The command may exit without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}
