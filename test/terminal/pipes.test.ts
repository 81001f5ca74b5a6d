import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { OutputFormat } from '../../src/api/option-values.js';

const run = promisify(execFile);
const script = fileURLToPath(new URL('fixtures/print-rows.ts', import.meta.url));

/** A shell's pipeline; its last line of stdout is the exit code of the printing process. */
async function pipeline(format: OutputFormat, rows: number, reader: string) {
  const print = `"${process.execPath}" --import tsx "${script}" ${format} ${rows}`;
  const { stdout, stderr } = await run('bash', ['-c', `${print} | ${reader}; echo "\${PIPESTATUS[0]}"`]);
  return { stdout, stderr };
}

test.each<[OutputFormat, string]>([
  ['table', 'ID'],
  ['jsonl', '{"id":"conn_0"'],
  ['json', '['],
])('a %s whose reader leaves ends quietly with 0 and stops asking for rows', async (format, start) => {
  const { stdout, stderr } = await pipeline(format, 10_000_000, 'head -n 1');
  const [first, exitCode] = stdout.trimEnd().split('\n');
  expect(first?.startsWith(start)).toBe(true);
  expect(exitCode).toBe('0');
  expect(stderr).toMatch(/^(?:\{"note":")?asked \d{1,5}, closed true(?:"\})?\n$/);
});

test('nothing is cut in a pipe that is smaller than the data', async () => {
  const { stdout, stderr } = await pipeline('jsonl', 20_000, 'wc -lc');
  const [counts, exitCode] = stdout.trimEnd().split('\n');
  const bytes = Array.from(
    { length: 20_000 },
    (_, i) => `{"id":"conn_${i}","name":"${'x'.repeat(100)}"}\n`.length,
  );
  expect(counts?.trim().split(/\s+/).map(Number)).toEqual([20_000, bytes.reduce((a, b) => a + b)]);
  expect({ exitCode, stderr }).toEqual({ exitCode: '0', stderr: '{"note":"asked 20000, closed false"}\n' });
});
