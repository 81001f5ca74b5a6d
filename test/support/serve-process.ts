import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { script } from './built-tool.js';
import { emptyEnvironment } from './run-cli.js';

/** A separate `orgctl serve` in memory, over plain HTTP. It ends with the test. */
export interface ServeProcess {
  readonly process: ChildProcess;
  readonly server: { readonly url: string; readonly keyId: string; readonly secret: string };
}

/** Starts the built tool; stderr as a `pipe` is never read. */
export async function startServeProcess({
  stderr = 'ignore',
}: {
  readonly stderr?: 'pipe' | 'ignore';
} = {}): Promise<ServeProcess> {
  const serve = ['serve', '--ephemeral', '--http', '--port', '0', '-o', 'json'];
  const child = spawn(process.execPath, [script, ...serve], {
    env: { ...emptyEnvironment(), PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', stderr],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('stdout is a pipe');
  const [line] = await once(createInterface(child.stdout), 'line');
  return { process: child, server: JSON.parse(String(line)) };
}

/** Peak memory in megabytes (2^20 bytes), from Linux. */
export function peakMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** CPU time in milliseconds, from Linux. */
export function cpuMilliseconds(pid: number | undefined): number {
  const [, figures = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = figures.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
