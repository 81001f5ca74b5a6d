import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPermissionsProblem } from '../../../src/profiles/file/permissions.js';
import { configPlace, storeAt } from '../support/config-place.js';

const prod = { baseUrl: 'https://api.example.com', keyId: 'key_prod', secret: 'secret-of-prod' };

describe('permissions', () => {
  test.each(['640', '604', '620'])('of a file with mode %s are, until it is written again', async (mode) => {
    const { store, file } = await configPlace({ version: 1, profiles: {} });
    await chmod(file, mode);
    const problem = store.permissionsProblem();
    expect(problem).toContain(`mode ${mode}`);
    expect(problem).toContain(`chmod 600 '${file}'`);
    await store.add('prod', prod);
    expect(store.permissionsProblem()).toBeUndefined();
  });

  test('that cannot be read are', async () => {
    const { file } = await configPlace({ version: 1, profiles: {} });
    // Below a file there is no directory: ENOTDIR, and not that there is none.
    expect(storeAt(file).permissionsProblem()).toBe(
      `the permissions of ${join(file, 'profiles.json')} cannot be read (ENOTDIR)`,
    );
  });

  test('of both are told together', async () => {
    const { store, directory, file } = await configPlace({ version: 1, profiles: {} });
    await chmod(directory, 0o701);
    await chmod(file, 0o644);
    expect(store.permissionsProblem()).toBe(
      `${directory} is accessible to other users (mode 701); make it private: chmod 700 '${directory}'; ` +
        `${file} is accessible to other users (mode 644); make it private: chmod 600 '${file}'`,
    );
  });

  test.each<[string, (directory: string) => Promise<void>]>([
    ['has the files of others', (directory) => writeFile(join(directory, 'notes.txt'), '')],
    ['is for everyone', (directory) => chmod(directory, 0o1777)],
  ])('of a directory that %s are mended with another directory', async (_which, change) => {
    const { store, directory } = await configPlace({ version: 1, profiles: {} });
    await chmod(directory, 0o755);
    expect(store.permissionsProblem()).toContain(`make it private: chmod 700 '${directory}'`);
    await change(directory);
    const mended = /^\S+ is accessible to other users \(mode \d+\); set ORGCTL_CONFIG_DIR to [^:]*$/;
    expect(store.permissionsProblem()).toMatch(mended);
  });

  test('are none where files have no modes', async () => {
    const { file } = await configPlace({ version: 1, profiles: {} });
    await chmod(file, 0o666);
    expect(findPermissionsProblem({ directory: '/', file }, 'win32')).toBeUndefined();
  });
});
