import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
// Loaded before the first test, and not while another's turns are counted.
import 'proper-lockfile';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { withLock } from '../../src/platform/file-lock.js';
import { configPlace, temporaryDirectory } from './support/config-place.js';

const stored = { baseUrl: 'https://api.example.com', keyId: 'key_old', secret: 'stored' };
const content = { version: 1, profiles: { prod: stored } } as const;

describe('the lock of the profiles', () => {
  it.each<[string, (path: string) => void]>([
    ['gone', (path) => rmSync(path, { recursive: true })],
    [
      "another's",
      (path) => {
        // Before the first is gone, so that it is another directory in any case.
        mkdirSync(`${path}.other`);
        rmSync(path, { recursive: true });
        execFileSync('mv', [`${path}.other`, path]);
      },
    ],
  ])('that is %s before it is written is an error of ours, and nothing is written', async (what, lose) => {
    const { file, store } = await configPlace(content);
    const before = readFileSync(file);
    const failure = store.update('prod', (profile) => {
      lose(`${file}.lock`);
      return { ...profile, secret: 'new' };
    });
    await expect(failure).rejects.toThrow(ConfigError);
    await expect(failure).rejects.toThrow(
      `the lock ${file}.lock was lost, so nothing was written to the profiles`,
    );
    await expect(failure).rejects.toMatchObject({ details: { hint: 'try again' } });
    expect(readFileSync(file)).toEqual(before);
    // That of another process stays.
    expect(existsSync(`${file}.lock`)).toBe(what === "another's");
  });

  it('is waited for while another holds it', async () => {
    const path = join(await temporaryDirectory(), 'x.lock');
    mkdirSync(path);
    let isDone = false;
    const waiting = withLock({ path, of: 'x' }, async () => {
      isDone = true;
    });
    // Its own calls of the file system come before the last of these.
    for (let turn = 0; turn < 100; turn += 1) await stat(path);
    expect(isDone).toBe(false);
    rmdirSync(path);
    await waiting;
    expect([isDone, existsSync(path)]).toEqual([true, false]);
  });
});
