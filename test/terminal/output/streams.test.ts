import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/errors/errors.js';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import { memorySystem } from '../../support/memory-system.js';

function failingWith(code: string): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
}

test('text and bytes go out as they are', async () => {
  const system = memorySystem();
  const { stdout, stderr } = makeStreams(system);
  await stdout.write('é\u001b[2J');
  await stdout.write(new Uint8Array([0xff, 0x00]));
  await stderr.write('note\n');
  expect(system.stdoutBytes()).toEqual(Buffer.from([0xc3, 0xa9, 0x1b, 0x5b, 0x32, 0x4a, 0xff, 0x00]));
  expect(system.stderrText()).toBe('note\n');
});

test('columns are known on a terminal only', () => {
  const terminal = makeStreams(memorySystem({ isTTY: true, columns: 132 }));
  const pipe = makeStreams(memorySystem());
  expect(terminal.stdout).toMatchObject({ isTerminal: true, columns: 132 });
  const unsized = makeStreams(memorySystem({ isTTY: true, columns: 0 }));
  expect(pipe.stdout).toMatchObject({ isTerminal: false, columns: undefined });
  expect(unsized.stdout).toMatchObject({ isTerminal: true, columns: undefined });
});

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

test('a stream that is closed already, and says so to the write alone, is a closed pipe too', async () => {
  const destroyed = memorySystem().stdout;
  destroyed.destroy();
  const { stdout, closed } = makeStreams({ stdout: destroyed, stderr: memorySystem().stderr });
  await stdout.write('row\n');
  expect(closed.aborted).toBe(true);
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
