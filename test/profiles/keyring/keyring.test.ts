import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, InterruptedError } from '../../../src/errors/errors.js';
import { askKeyring, type KeyringOptions, keyringAccount } from '../../../src/profiles/keyring/keyring.js';
import { temporaryDirectory } from '../support/config-place.js';

const entry = 'key_abc https://api.example.com';

/** A keyring whose native part has these members; a real one is in test/commands. */
async function keyringOf(members: string, more: Partial<KeyringOptions> = {}): Promise<KeyringOptions> {
  const path = join(await temporaryDirectory(), 'native.cjs');
  writeFileSync(path, `module.exports = { Entry: class { ${members} } };`);
  return { name: 'prod', env: { NAPI_RS_NATIVE_LIBRARY_PATH: path }, timeout: 60_000, ...more };
}

const unlock = /^unlock the keyring: log in .* gnome-keyring-daemon --unlock/;

describe('an entry of the keyring', () => {
  it('is found by the origin of the service and the key ID', async () => {
    const members = `
      constructor(...names) { this.names = names.slice(0, 2).join('|'); }
      getPassword() { return this.names; }`;
    const found = keyringAccount({ baseUrl: 'https://api.example.com/v1', keyId: 'key_abc' });
    expect(found).toEqual(entry);
    expect(await askKeyring('read', found, await keyringOf(members))).toBe(
      'orgctl|key_abc https://api.example.com',
    );
  });

  it('that has no secret is named, with what to do', async () => {
    const reading = askKeyring('read', entry, await keyringOf("getPassword() { return ''; }"));
    await expect(reading).rejects.toMatchObject({
      constructor: ConfigError,
      message: 'the keyring did not read the secret of profile "prod": it is locked, or does not have it',
      details: { hint: expect.stringMatching(unlock) },
    });
    await expect(reading).rejects.toHaveProperty(
      'details.hint',
      expect.stringContaining('orgctl profile set prod --keyring --ask-secret'),
    );
  });
});

describe('a keyring that gives no answer', () => {
  const silent = 'getPassword() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120_000); }';

  it.each([
    ['fails', "throw new Error('no entry')", 'did not read the secret of profile "prod": no entry'],
    [
      'is killed',
      "process.kill(process.pid, 'SIGKILL'); for (;;);",
      'did not read the secret of profile "prod": SIGKILL',
    ],
  ])('since it %s is not waited for', async (_what, body, message) => {
    const reading = askKeyring('read', entry, await keyringOf(`getPassword() { ${body}; }`));
    await expect(reading).rejects.toMatchObject({
      constructor: ConfigError,
      message: `the keyring ${message}`,
      details: { hint: expect.stringMatching(unlock) },
    });
  });

  it('is waited for no longer than told, and its process is ended', async () => {
    const processes = () => process.getActiveResourcesInfo().filter((each) => each === 'ProcessWrap').length;
    const before = processes();
    const reading = askKeyring('read', entry, await keyringOf(silent, { timeout: 500 }));
    await expect(reading).rejects.toThrow(
      'the keyring did not read the secret of profile "prod": no answer within 0.5 s',
    );
    await expect.poll(processes).toBeLessThanOrEqual(before);
  });

  it('is not waited for after Ctrl-C', async () => {
    const controller = new AbortController();
    const reading = askKeyring('read', entry, await keyringOf(silent, { signal: controller.signal }));
    setImmediate(() => controller.abort(new InterruptedError('SIGINT')));
    await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('since its package does not fit this machine is named as such', async () => {
    const env = { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/none.node' };
    await expect(askKeyring('read', entry, await keyringOf('', { env }))).rejects.toMatchObject({
      constructor: ConfigError,
      message: expect.stringContaining('the keyring did not read the secret of profile "prod": '),
    });
  });
});
