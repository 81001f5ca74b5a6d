import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';

const byAnother = 'was written by another version of orgctl';

/** Refused in a sentence that names the path. */
const refusal = (path: string) => ({
  code: 'config',
  exitCode: 3,
  message: expect.stringMatching(new RegExp(`^[^\\n]*${path.replaceAll('.', '\\.')}[^\\n]*${byAnother}`)),
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it('data of another version is refused and stays as it is', async () => {
  const data = join(temporaryDirectory(), 'data');
  await (await startServer({ data, http: true })).close();
  const path = join(data, 'orgctl.db');
  const database = new Database(path);
  database.exec('update schema_version set version = 99');
  database.close();
  // SQLite counts in the header who opened the file.
  const content = () => digest(readFileSync(path).subarray(100));
  const before = content();
  const backup = join(temporaryDirectory(), 'backup.db');
  const other = join(temporaryDirectory(), 'other');
  for (const [args, named] of [
    [['serve', '--data', data, '--port', '0', '--no-profile'], data],
    [['serve', 'check', '--data', data], data],
    [['serve', 'backup', backup, '--data', data], backup],
    [['serve', 'restore', path, '--data', other], path],
    [['serve', 'rotate-master-key', '--data', data], data],
  ] as const) {
    const ended = await runCli([...args, '-o', 'json']);
    expect([args[1], errorOf(ended)]).toEqual([args[1], expect.objectContaining(refusal(named))]);
    expect(content()).toBe(before);
  }
  expect(existsSync(backup)).toBe(false);
});
