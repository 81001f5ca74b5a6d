import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/errors/errors.js';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import { memorySystem } from '../../support/memory-system.js';

function failingWith(code: string): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
}

test('a write resolves only when the system has taken it', async () => {
  const taken: (() => void)[] = [];
  const slow = new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) });
  const { stdout } = makeStreams({ stdout: slow, stderr: slow });
  let resolved = false;
  const write = stdout.write('row\n').then(() => {
    resolved = true;
  });
  await new Promise(setImmediate);
  expect(resolved).toBe(false);
  taken[0]?.();
  await write;
  expect(resolved).toBe(true);
});

test('a closed pipe on stdout is told by the signal, and later writes do nothing', async () => {
  const system = memorySystem();
  const { stdout, closed } = makeStreams(system);
  await stdout.write('first\n');
  expect(closed.aborted).toBe(false);
  system.closeStdout();
  await stdout.write('second\n');
  expect(closed.aborted).toBe(true);
  await stdout.write('third\n');
  expect(system.stdoutText()).toBe('first\n');
});

test('a closed pipe on stderr does not end the command', async () => {
  const { stderr, closed } = makeStreams({ stdout: memorySystem().stdout, stderr: failingWith('EPIPE') });
  await stderr.write('note\n');
  await stderr.write('note\n');
  expect(closed.aborted).toBe(false);
});

test('another failure of stdout reaches the caller', async () => {
  const { stdout, closed } = makeStreams({ stdout: failingWith('ENOSPC'), stderr: memorySystem().stderr });
  const write = stdout.write('row\n');
  await expect(write).rejects.toThrow(ConfigError);
  await expect(write).rejects.toThrow('cannot write to standard output: ENOSPC');
  expect(closed.aborted).toBe(false);
});
