import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { makeStreams } from '../../src/terminal/output/streams.js';
import { memorySystem } from '../support/memory-system.js';

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

test('a closed pipe on stderr does not end the command', async () => {
  const { stderr, closed } = makeStreams({ stdout: memorySystem().stdout, stderr: failingWith('EPIPE') });
  await stderr.write('note\n');
  await stderr.write('note\n');
  expect(closed.aborted).toBe(false);
});
