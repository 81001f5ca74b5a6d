import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import {
  endProcess,
  isRunning,
  isSameProcess,
  processStart,
  toSystem,
} from '../../../src/terminal/process/process-system.js';

it('a signal is heard until it is no longer listened to', () => {
  const system = toSystem(process);
  const before = process.listeners('SIGTERM');
  let heard = 0;
  const listener = () => {
    heard += 1;
  };
  system.on('SIGTERM', listener);
  for (const mine of process.listeners('SIGTERM').slice(before.length)) mine('SIGTERM');
  system.off('SIGTERM', listener);
  expect(heard).toBe(1);
  expect(process.listeners('SIGTERM')).toEqual(before);
});

it("a process runs until it has ended, and another user's does too", async () => {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  const { pid = 0 } = child;
  expect(isRunning(pid)).toBe(true);
  expect(isRunning(1)).toBe(true);
  child.stdin.end();
  await once(child, 'close');
  expect(isRunning(pid)).toBe(false);
});

it('a process is told from a later one with its ID by when it started, where the platform says', async () => {
  const own = processStart(process.pid);
  expect(own === undefined).toBe(process.platform !== 'linux');
  expect(isSameProcess(process.pid, own)).toBe(own === undefined ? undefined : true);
  expect(isSameProcess(process.pid, '1')).toBe(own === undefined ? undefined : false);
  expect(isSameProcess(process.pid, undefined)).toBe(undefined);
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  const { pid = 0 } = child;
  const started = processStart(pid);
  child.stdin.end();
  await once(child, 'close');
  expect([isSameProcess(pid, started), isSameProcess(pid, undefined)]).toEqual([false, false]);
});

/** A process like this one, which keeps the signals that it would send. */
function recording() {
  const sent: unknown[][] = [];
  const kill = (...signal: unknown[]) => sent.push(signal) > 0;
  const own: NodeJS.Process = Object.create(process, {
    kill: { value: kill },
    exitCode: { writable: true, value: undefined },
  });
  return { own, sent };
}

// A terminal that is closed is tested with a real one in test/commands/serve-processes.test.ts.
it.each([0, 130])('ends with exit code %i, by no signal while its terminal is there', (exitCode) => {
  const { own, sent } = recording();
  endProcess(own, exitCode);
  expect([own.exitCode, sent]).toEqual([exitCode, []]);
});
