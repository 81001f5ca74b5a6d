import { chmod } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/errors/errors.js';
import { configPlace } from '../support/config-place.js';

const prod = { baseUrl: 'https://api.example.com', keyId: 'key_prod', secret: 'secret-of-prod' };

describe('permissions', () => {
  test.each(['640', '604', '644'])('of a file with mode %s are, until it is written again', async (mode) => {
    const { store, file } = await configPlace({ version: 1, profiles: {} });
    await chmod(file, mode);
    const problem = store.permissionsProblem();
    expect(problem).toContain(`mode ${mode}`);
    expect(problem).toContain(`chmod 600 '${file}'`);
    await store.add('prod', prod);
    expect(store.permissionsProblem()).toBeUndefined();
  });

  test.each(['620', '602'])('of a file that others can write, with mode %s, are refused', async (mode) => {
    const { store, file } = await configPlace({ version: 1, profiles: { prod } });
    await chmod(file, mode);
    for (const use of [() => store.read(), () => store.use('prod')]) {
      await expect(use()).rejects.toMatchObject({
        constructor: ConfigError,
        message: `${file} can be written by other users, who could put anything there`,
        details: { hint: expect.stringContaining(`check its content, then: chmod 600 '${file}'`) },
      });
    }
  });

  test('of both are told together', async () => {
    const { store, directory, file } = await configPlace({ version: 1, profiles: {} });
    await chmod(directory, 0o701);
    await chmod(file, 0o644);
    expect(store.permissionsProblem()).toBe(
      `${directory} is accessible to other users (mode 701); set ORGCTL_CONFIG_DIR to a directory of your own, or make it private: chmod 700 '${directory}'; ` +
        `${file} is accessible to other users (mode 644); make it private: chmod 600 '${file}'`,
    );
  });
});
