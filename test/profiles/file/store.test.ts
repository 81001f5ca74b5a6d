import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError, UsageError } from '../../../src/errors/errors.js';
import { writeRecoveryFile } from '../../../src/profiles/file/write-profile-file.js';
import { configPlace, storeAt, temporaryDirectory } from '../support/config-place.js';

const prod = { baseUrl: 'https://api.example.com', keyId: 'key_prod', secret: 'secret-of-prod' };
const staging = { baseUrl: 'https://staging.example.com', keyId: 'key_staging', secret: 'secret-of-staging' };

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe('profile names', () => {
  test.each(['a', '0', 'prod-1_x', 'constructor', 'toString', 'x'.repeat(64)])(
    '%s is ordinary',
    async (name) => {
      const { store, directory } = await configPlace();
      await store.add(name, prod);
      await store.update(name, (profile) => ({ ...profile, readOnly: true }));
      expect(await storeAt(directory).get(name)).toEqual({ ...prod, readOnly: true });
      await store.rename(name, 'other');
      expect((await store.remove('other')).profiles).toEqual({});
    },
  );

  const refused = ['', '-a', '_a', '__proto__', 'a b', 'a/b', '../a', 'ä', 'a\n', 'x'.repeat(65)];
  test.each(refused)('%j is refused', async (name) => {
    const { store, directory } = await configPlace();
    const failure = store.add(name, prod);
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toThrow(
      `${JSON.stringify(name)} is not a profile name: use 1 to 64 letters`,
    );
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('the file', () => {
  test('is not made by reading', async () => {
    const directory = join(await temporaryDirectory(), 'none');
    const store = storeAt(directory);
    expect(await store.read()).toEqual({ version: 1, profiles: {} });
    expect(store.permissionsProblem()).toBeUndefined();
    await expect(lstat(directory)).rejects.toThrow('ENOENT');
  });

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

  test('is read with a byte order mark, as editors of Windows leave it', async () => {
    const { store } = await configPlace(`\uFEFF${JSON.stringify({ version: 1, profiles: { prod } })}`);
    expect(await store.get('prod')).toEqual(prod);
  });

  test('stays a link when it is one', async () => {
    const { store, file } = await configPlace();
    const elsewhere = join(await temporaryDirectory(), 'kept.json');
    await writeFile(elsewhere, JSON.stringify({ version: 1, profiles: { prod } }));
    await symlink(elsewhere, file);
    await store.add('staging', staging);
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(elsewhere, 'utf8')).profiles).toEqual({ prod, staging });
  });

  test('stays a link when it leads to nothing yet, and its file is private', async () => {
    const { store, file } = await configPlace();
    const elsewhere = await temporaryDirectory();
    // As dotfile managers leave them: relative, and one after the other.
    await symlink(join(elsewhere, 'link'), file);
    await symlink('kept.json', join(elsewhere, 'link'));
    await store.add('prod', prod);
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect((await stat(join(elsewhere, 'kept.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(elsewhere)).toEqual(['kept.json', 'link']);
    expect((await store.read()).profiles).toEqual({ prod });
  });

  test('is not written where it is a link into a missing directory, or to itself', async () => {
    for (const to of [join(await temporaryDirectory(), 'missing', 'kept.json'), 'profiles.json']) {
      const { store, file } = await configPlace();
      await symlink(to, file);
      await expect(store.add('prod', prod)).rejects.toBeInstanceOf(ConfigError);
      expect((await lstat(file)).isSymbolicLink()).toBe(true);
    }
  });

  test('in the place of a directory is reported', async () => {
    const { file } = await configPlace('x');
    const store = storeAt(file);
    const elsewhere = { hint: expect.stringContaining('ORGCTL_CONFIG_DIR') };
    await expect(store.read()).rejects.toMatchObject({
      constructor: ConfigError,
      message: `${store.path()} cannot be read: not a directory`,
      details: elsewhere,
    });
    await expect(store.add('prod', prod)).rejects.toMatchObject({
      constructor: ConfigError,
      message: `${file} cannot be written: file already exists`,
      details: elsewhere,
    });
    expect(await readFile(file, 'utf8')).toBe('x');
  });

  test('that cannot be replaced is kept as it is', async () => {
    const { store, file } = await configPlace({ version: 1, profiles: { prod } });
    await writeFile(`${file}.lock`, 'x');
    await expect(store.add('staging', staging)).rejects.toMatchObject({
      constructor: ConfigError,
      message: expect.stringContaining('profiles.json.lock blocks the lock of the profiles'),
    });
    expect(await store.read()).toEqual({ version: 1, profiles: { prod } });
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

test('what a killed process left beside the file is removed by the next change', async () => {
  const { store, directory, file } = await configPlace({ version: 1, profiles: {} });
  await mkdir(`${file}.tmp`);
  for (const name of ['.tmp/profiles.json', '.mine'])
    await writeFile(`${file}${name}`, '{"half', { mode: 0o644 });
  await store.add('prod', prod);
  expect(store.permissionsProblem()).toBeUndefined();
  expect((await readdir(directory)).sort()).toEqual(['profiles.json', 'profiles.json.mine']);
});
