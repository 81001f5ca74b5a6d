import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { writeRecoveryFile } from '../../src/profiles/file/write-profile-file.js';
import { configPlace, storeAt, temporaryDirectory } from './support/config-place.js';
// Loaded before the first test, and not while another's turns are counted.
import 'proper-lockfile';
import { withLock } from '../../src/platform/file-lock.js';

const prod = { baseUrl: 'https://api.example.com', keyId: 'key_prod', secret: 'secret-of-prod' };
const staging = { baseUrl: 'https://staging.example.com', keyId: 'key_staging', secret: 'secret-of-staging' };

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe('the file', () => {
  const none = 'is not a profile file: ';
  const profileOf = (p: unknown) => JSON.stringify({ version: 1, profiles: { p } });
  const notUtf8 = Buffer.from(profileOf({ ...prod, keyId: '\xff' }), 'latin1');
  const other = '{"version":2,"profiles":{}}';

  test.each([
    ['empty', '', none],
    ['not JSON', '{ "secret": secret-of-prod', none],
    ['not UTF-8', notUtf8, none],
    ['an array', '[]', none],
    ['without version', '{"profiles":{}}', `${none}version: `],
    ['of another version', other, `${none}version: must be 1`],
    ['with a secret of the wrong type', profileOf({ ...prod, secret: 7 }), `${none}profiles.p.secret: `],
  ])('that is %s is reported and never written to', async (_what, content, message) => {
    const { store, file, directory } = await configPlace(content);
    const before = await readFile(file);
    const hint = `correct ${file} or move it away`;
    for (const attempt of [
      () => store.read(),
      () => store.add('prod', prod),
      () => store.update('p', () => prod),
      () => store.remove('p'),
      () => store.use('p'),
    ]) {
      const error = await attempt().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ConfigError);
      expect(error).toHaveProperty('message', expect.stringContaining(`${file} ${message}`));
      expect(error).toHaveProperty('details.hint', expect.stringContaining(hint));
      expect(`${error} ${JSON.stringify(error)}`).not.toContain('secret-of-prod');
    }
    expect(await readFile(file)).toEqual(before);
    expect(await readdir(directory)).toEqual(['profiles.json']);
  });

  test('keeps unknown fields', async () => {
    const pending = { keyId: 'k', secret: 's', createdAt: 't', x: 1 };
    const newer = { ...prod, region: 'eu', pending };
    const { store } = await configPlace({ version: 1, theme: 'dark', profiles: { prod: newer } });
    await store.add('staging', staging);
    await store.update('prod', (profile) => ({ ...profile, readOnly: true }));
    const profiles = { prod: { ...newer, readOnly: true }, staging };
    expect(await store.read()).toEqual({ version: 1, theme: 'dark', current: 'staging', profiles });
  });

  test.each([0o000, 0o077])(
    'is made with its directories, for this user alone under umask %o, and can be read by people',
    async (umask) => {
      const parent = join(await temporaryDirectory(), 'new');
      const directory = join(parent, 'orgctl');
      const before = process.umask(umask);
      onTestFinished(() => void process.umask(before));
      await storeAt(directory).add('prod', prod);
      const file = join(directory, 'profiles.json');
      const modes = await Promise.all([parent, directory, file].map(modeOf));
      expect(modes).toEqual(['700', '700', '600']);
      const content = { version: 1, profiles: { prod }, current: 'prod' };
      expect(await readFile(file, 'utf8')).toBe(`${JSON.stringify(content, undefined, 2)}\n`);
    },
  );

  test('is replaced as a whole, for its owner alone, though SNAP makes conf write in place', async () => {
    vi.stubEnv('SNAP', '/snap/orgctl/1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { store, file, directory } = await configPlace({ version: 1, profiles: {} });
    await chmod(file, 0o644);
    const before = await stat(file);
    await store.add('prod', prod);
    const after = await stat(file);
    expect([after.ino === before.ino, (after.mode & 0o777).toString(8)]).toEqual([false, '600']);
    expect(await readdir(directory)).toEqual(['profiles.json']);
  });

  test('keeps all of eight profiles that are added at once', async () => {
    const directory = join(await temporaryDirectory(), 'new');
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => storeAt(directory).add(name, prod)));
    const kept = Object.keys((await storeAt(directory).read()).profiles);
    expect(kept.toSorted()).toEqual(names);
    expect(await readdir(directory)).toEqual(['profiles.json']);
  });

  test('is changed though a killed process left its lock', async () => {
    const { directory, file, store } = await configPlace({ version: 1, profiles: {} });
    await mkdir(`${file}.lock`);
    await utimes(`${file}.lock`, 1, 1);
    await store.add('prod', prod);
    expect(await readdir(directory)).toEqual(['profiles.json']);
  });
});

test('a recovery file is made beside the profiles, whatever the ID of its key is', async () => {
  const profiles = join(await temporaryDirectory(), 'new', 'profiles.json');
  const file = { name: `../key ${'x'.repeat(100)}` };
  const path = await writeRecoveryFile(profiles, file, 'secret');
  expect(path).toBe(join(dirname(profiles), `recovered-___key_${'x'.repeat(73)}.json`));
  expect(await readFile(path, 'utf8')).toBe('secret');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  // A second one of the same name, and what somebody else put in its place.
  const another = await writeRecoveryFile(profiles, file, 'another');
  expect([await readFile(path, 'utf8'), await readFile(another, 'utf8')]).toEqual(['secret', 'another']);
});

const stored = { baseUrl: 'https://api.example.com', keyId: 'key_old', secret: 'stored' };
const content = { version: 1, profiles: { prod: stored } } as const;

describe('the lock of the profiles', () => {
  test.each<[string, (path: string) => void]>([
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

  test('is waited for while another holds it', async () => {
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
