import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const source = fileURLToPath(new URL('./store-script.ts', import.meta.url));

/** Bundles the script into the directory, so that many processes start quickly; returns Node's arguments. */
export async function bundledInto(directory: string): Promise<readonly string[]> {
  await build({
    input: source,
    platform: 'node',
    logLevel: 'warn',
    output: { dir: directory, format: 'esm' },
  });
  return [join(directory, 'store-script.js')];
}

export interface StoreTask {
  /** Of the profile to add. */
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Octal digits, as the shell has it. */
  readonly umask?: string;
}

/** A process of its own that works on the profiles of a directory. */
export interface StoreProcess {
  /** Resolves when the process stands ready to begin. */
  readonly ready: Promise<unknown>;
  /** Lets it begin; resolves to its exit code and what it printed after that it was ready. */
  run(): Promise<{ code: number; output: string }>;
}

export function storeProcess(script: readonly string[], task: StoreTask): StoreProcess {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    [...script, task.name, task.umask ?? '022'],
    { env: { PATH: process.env['PATH'], ...task.env }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  return {
    ready: once(child.stdout, 'readable'),
    async run() {
      child.stdin.end();
      const [output, [code]] = await Promise.all([text(child.stdout), exit]);
      return { code, output: output.replace('ready\n', '') };
    },
  };
}
