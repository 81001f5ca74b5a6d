import { expect, test } from 'vitest';
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
