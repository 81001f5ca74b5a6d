import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { withLock } from '../../src/profiles/file-lock.js';
import { configPlace, temporaryDirectory } from './support/config-place.js';

const stored = { baseUrl: 'https://api.example.com', keyId: 'key_old', secret: 'stored' };
const content = { version: 1, profiles: { prod: stored } } as const;

describe('the lock of the profiles', () => {
  it.each<[string, (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, 'x')],
    ['a link to nothing', (path) => symlinkSync('/nowhere', path)],
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a directory with something in it', (path) => mkdirSync(join(path, 'more'), { recursive: true })],
  ])('that is %s is an error at once, and nothing is written', async (_what, make) => {
    const { file, store } = await configPlace(content);
    make(`${file}.lock`);
    const before = readFileSync(file);
    const failure = store.remove('prod');
    await expect(failure).rejects.toThrow(ConfigError);
    await expect(failure).rejects.toThrow(`${file}.lock is in the place of the profiles' lock`);
    expect(readFileSync(file)).toEqual(before);
  });

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
  ])('that is %s before it is written is an error of ours, and nothing is written', async (_what, lose) => {
    const { directory, file, store } = await configPlace(content);
    const before = readFileSync(file);
    const failure = store.update('prod', (profile) => {
      lose(`${file}.lock`);
      return { ...profile, secret: 'new' };
    });
    await expect(failure).rejects.toThrow(ConfigError);
    await expect(failure).rejects.toMatchObject({ details: { hint: 'try again; nothing was changed' } });
    expect(readFileSync(file)).toEqual(before);
    // That of another process stays.
    expect(readdirSync(directory).filter((name) => name !== 'profiles.json').length).toBeLessThan(2);
  });

  it('is waited for while another holds it', async () => {
    const path = join(await temporaryDirectory(), 'x.lock');
    mkdirSync(path);
    let isDone = false;
    const waiting = withLock(path, async () => {
      isDone = true;
    });
    // Its own calls of the file system come before the last of these.
    for (let turn = 0; turn < 100; turn += 1) await stat(path);
    expect(isDone).toBe(false);
    rmdirSync(path);
    await waiting;
    expect([isDone, existsSync(path)]).toEqual([true, false]);
  });

  it('that cannot be made is an error that says why', async () => {
    const failure = withLock(join(await temporaryDirectory(), 'none', 'x.lock'), async () => undefined);
    await expect(failure).rejects.toThrow(ConfigError);
    await expect(failure).rejects.toThrow('the profiles cannot be locked');
    await expect(failure).rejects.toThrow('ENOENT');
  });
});
