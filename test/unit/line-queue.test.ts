import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { LineQueue } from '../../src/terminal/output/line-queue.js';

/** A reader that takes nothing until it is told to. */
class SlowReader extends Writable {
  readonly #taken: Buffer[] = [];
  #goOn: (() => void) | undefined;
  #isAwake = false;

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#taken.push(bytes);
    if (this.#isAwake) done();
    else this.#goOn = done;
  }

  wake(): void {
    this.#isAwake = true;
    this.#goOn?.();
  }

  get lines(): string[] {
    return Buffer.concat(this.#taken).toString().split('\n').slice(0, -1);
  }
}

it('keeps no more than a mebibyte for a reader that takes nothing, and says what was dropped', async () => {
  const stderr = new SlowReader();
  const queue = new LineQueue({ stderr }, (dropped) => `dropped ${dropped}`);
  const count = 5000;
  for (let line = 0; line < count; line += 1) queue.write(`${line} ${'x'.repeat(1000)}`);
  stderr.wake();
  await expect.poll(() => stderr.lines.some((line) => line.startsWith('dropped'))).toBe(true);
  const { lines } = stderr;
  const dropped = Number(lines.at(-1)?.replace('dropped ', ''));
  expect(lines.length - 1 + dropped).toBe(count);
  expect(Buffer.byteLength(lines.join('\n'))).toBeLessThan(1.2 * 1024 * 1024);
});
