import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { LineQueue } from '../../src/terminal/output/line-queue.js';
import { makeStreams } from '../../src/terminal/output/streams.js';
import { memorySystem } from '../support/memory-system.js';
import { openPrinter, print } from './support/print.js';

const view = { columns: [{ header: 'N', value: 'n' }] };

test('text is exact in a pipe and cleaned on a terminal; notes and warnings are always', async () => {
  const text = 'POST\n/a?b=\tc\r\n\u001b[2J';
  expect((await print({ quiet: true }, (printer) => printer.text(text))).stdout).toBe(text);
  const cleaned = await print({ width: 80 }, (printer) => printer.text(text));
  expect(cleaned.stdout).toBe('POST\n/a?b=\tc\\r\n\\u{1b}[2J');
  const warned = await print({ quiet: true }, (printer) => printer.warn('a\u001b[2J\nb'));
  expect(warned).toEqual({ stdout: '', stderr: 'warning: a\\u{1b}[2J\\nb\n' });
});

test.each([
  ['jsonl', '{"n":1}\n'],
  ['json', '[\n  {\n    "n": 1\n  }\n'],
] as const)(
  'rows that arrived are printed before the failure of their source, and end their line: %s',
  async (format, text) => {
    async function* failing() {
      yield { n: 1 };
      throw new Error('page 2');
    }
    const { system, printer } = openPrinter({ format });
    await expect(printer.list(failing(), view)).rejects.toThrow('page 2');
    expect(system.stdoutText()).toBe(text);
  },
);

test('a source is asked for no more rows, and is closed, once the reader has left', async () => {
  for (const follows of [false, true]) {
    const { system, printer } = openPrinter({ format: 'jsonl' });
    system.closeStdout();
    let asked = 0;
    let closed = false;
    async function* endless() {
      try {
        for (;;) {
          asked++;
          yield { n: 'x'.repeat(70_000) };
        }
      } finally {
        closed = true;
      }
    }
    async function* batches() {
      for await (const row of endless()) yield [row];
    }
    await (follows ? printer.follow(batches(), view) : printer.list(endless(), view));
    expect({ asked, closed }).toEqual({ asked: 1, closed: true });
  }
});

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

test('keeps no more than a mebibyte for a reader that takes nothing, and says what was dropped', async () => {
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
