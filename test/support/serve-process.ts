import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { script } from './built-tool.js';
import { emptyEnvironment } from './run-cli.js';

/** `orgctl serve` in a process of its own, in memory and over plain HTTP. It ends with the test. */
export interface ServeProcess {
  readonly process: ChildProcess;
  readonly server: { readonly url: string; readonly keyId: string; readonly secret: string };
}

export interface ServeProcessOptions {
  /** Further arguments. */
  readonly args?: readonly string[];
  /** Arguments of Node's own, before the program. */
  readonly node?: readonly string[];
  /** What stderr is: a pipe that nobody reads, or nothing. Default: nothing. */
  readonly stderr?: 'pipe' | 'ignore';
}

/** Starts the tool as it was built: the calling file says `useBuiltTool`. */
export async function startServeProcess(options: ServeProcessOptions = {}): Promise<ServeProcess> {
  const { args = [], node = [], stderr = 'ignore' } = options;
  const serve = ['serve', '--ephemeral', '--http', '--port', '0', '-o', 'json', ...args];
  const child = spawn(process.execPath, [...node, script, ...serve], {
    env: { ...emptyEnvironment(), PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', stderr],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('stdout is a pipe');
  const [line] = await once(createInterface(child.stdout), 'line');
  return { process: child, server: JSON.parse(String(line)) };
}

/** The most memory that a process has had so far, in megabytes (2^20 bytes), as Linux counts it. */
export function peakMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Milliseconds that a process has worked, by the clock of its processor, as Linux counts them. */
export function cpuMilliseconds(pid: number | undefined): number {
  const [, figures = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = figures.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
