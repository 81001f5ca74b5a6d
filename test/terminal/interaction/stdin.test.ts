import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { InterruptedError, UsageError } from '../../../src/errors/errors.js';
import { readStdin, readStdinText } from '../../../src/terminal/interaction/stdin.js';
import { memorySystem } from '../../support/memory-system.js';

test('all bytes, as they are', async () => {
  const bytes = Buffer.from([0xff, 0x00, 0x0d, 0x0a]);
  expect(await readStdin(memorySystem({ stdin: bytes }))).toEqual(bytes);
  expect(await readStdin(memorySystem())).toEqual(Buffer.alloc(0));
});

test('text in pieces that split a character', async () => {
  const [first, second] = [Buffer.from([0x61, 0xc3]), Buffer.from([0xa9, 0x0a])];
  expect(await readStdinText({ stdin: Readable.from([first, second]) })).toBe('aé\n');
});

test('a byte-order mark is no text', async () => {
  expect(await readStdinText(memorySystem({ stdin: '\ufeff{}' }))).toBe('{}');
});

test('what is not UTF-8 is refused', async () => {
  await expect(readStdinText(memorySystem({ stdin: Buffer.from([0xff]) }))).rejects.toThrow(UsageError);
});

test('a terminal is refused where the caller says so, else read to its end', async () => {
  const refused = readStdin(memorySystem({ isTTY: true }), { terminalHint: 'pipe the file' });
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toMatchObject({ details: { hint: 'pipe the file' } });
  const system = memorySystem({ isTTY: true, stdin: 'typed\n' });
  system.stdin.push(null);
  expect(await readStdinText(system)).toBe('typed\n');
});

test('a failing stdin names the reason', async () => {
  const stdin = new Readable({
    read() {
      this.destroy(new Error('EISDIR: illegal operation on a directory'));
    },
  });
  const read = readStdin({ stdin });
  await expect(read).rejects.toThrow(UsageError);
  await expect(read).rejects.toThrow('cannot read standard input: EISDIR');
});

test('an interrupted command stops waiting', async () => {
  const controller = new AbortController();
  const read = readStdin(memorySystem({ isTTY: true }), { signal: controller.signal });
  controller.abort(new InterruptedError('SIGINT'));
  await expect(read).rejects.toThrow(InterruptedError);
});
