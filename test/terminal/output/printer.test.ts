import { describe, expect, test } from 'vitest';
import type { Printer } from '../../../src/terminal/output/printer.js';
import { openPrinter, print } from '../print.js';

const view = { columns: [{ header: 'N', value: 'n' }] };

test('notes go to stderr, cleaned, and are left out with --quiet', async () => {
  const note = (printer: Printer) => printer.note('a\u001b[2J\nb');
  expect(await print({ width: 80 }, note)).toEqual({ stdout: '', stderr: 'a\\u{1b}[2J\\nb\n' });
  expect(await print({ quiet: true }, note)).toEqual({ stdout: '', stderr: '' });
});

test.each([false, true])('warnings go to stderr, with --quiet too: %s', async (quiet) => {
  const warned = await print({ quiet }, (printer) => printer.warn('half of it'));
  expect(warned).toEqual({ stdout: '', stderr: 'warning: half of it\n' });
});

test('text is exact in a pipe and cleaned on a terminal', async () => {
  const text = 'POST\n/a?b=\tc\r\n\u001b[2J';
  expect((await print({ quiet: true }, (printer) => printer.text(text))).stdout).toBe(text);
  expect((await print({ width: 80 }, (printer) => printer.text(text))).stdout).toBe(
    'POST\n/a?b=\tc\\r\n\\u{1b}[2J',
  );
});

describe('a named column that is not there', () => {
  const columns = ['n', 'nope'];

  test('is refused where the columns are known, even without rows', async () => {
    for (const rows of [[{ n: 1 }], []]) {
      await expect(print({ columns }, (printer) => printer.list(rows, view))).rejects.toThrow(
        'unknown column "nope"',
      );
    }
  });
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

test('a source is asked for no more rows once the reader has left', async () => {
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
  await printer.list(endless(), view);
  expect({ asked, closed }).toEqual({ asked: 1, closed: true });
});
