import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configPlace, storeAt, temporaryDirectory } from './support/config-place.js';
import { bundledInto, storeProcess } from './support/store-process.js';

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

const stored = { baseUrl: 'https://api.example.com', keyId: 'key_old', secret: 'stored' };

describe('the profile store among processes', { timeout: 60_000 }, () => {
  let bundle = '';
  let script: readonly string[] = [];

  beforeAll(async () => {
    bundle = await mkdtemp(join(tmpdir(), 'orgctl-store-script-'));
    await writeFile(join(bundle, 'package.json'), '{"type":"module"}');
    script = await bundledInto(bundle);
  }, 60_000);

  afterAll(() => rm(bundle, { recursive: true, force: true }));

  test('keeps all of eight profiles that are added at once', async () => {
    const directory = join(await temporaryDirectory(), 'new');
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    const env = { ORGCTL_CONFIG_DIR: directory };
    const processes = names.map((name) => storeProcess(script, { name, env }));
    await Promise.all(processes.map(({ ready }) => ready));

    const results = await Promise.all(processes.map((process) => process.run()));

    expect(results.map(({ code }) => code)).toEqual(names.map(() => 0));
    const kept = (await storeAt(directory).list()).map(({ name }) => name);
    expect(kept.toSorted()).toEqual(names.toSorted());
    expect(await readdir(directory)).toEqual(['profiles.json']);
  });

  for (const umask of ['000', '077']) {
    test(`makes a 0700 directory and a 0600 file under umask ${umask}`, async () => {
      const directory = join(await temporaryDirectory(), 'parent', 'new');
      const env = { ORGCTL_CONFIG_DIR: directory };
      expect((await storeProcess(script, { name: 'a', env, umask }).run()).code).toBe(0);
      expect(await modeOf(dirname(directory))).toBe('700');
      expect(await modeOf(directory)).toBe('700');
      expect(await modeOf(join(directory, 'profiles.json'))).toBe('600');
    });
  }

  test('replaces the file at once inside a snap too, where conf writes in place', async () => {
    const { directory, file } = await configPlace({ version: 1, profiles: { old: stored } });
    await chmod(file, 0o644);
    const before = await stat(file);
    const env = { ORGCTL_CONFIG_DIR: directory, SNAP: '/snap/editor/1' };
    expect((await storeProcess(script, { name: 'a', env }).run()).code).toBe(0);
    expect((await stat(file)).ino).not.toBe(before.ino);
    expect(await modeOf(file)).toBe('600');
  });

  test('takes over the lock of a process that was killed', async () => {
    const { directory, file, store } = await configPlace({ version: 1, profiles: {} });
    await mkdir(`${file}.lock`);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, longAgo, longAgo);
    await store.add('prod', stored);
    expect(await readdir(directory)).toEqual(['profiles.json']);
  });
});
