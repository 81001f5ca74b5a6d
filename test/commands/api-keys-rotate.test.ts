import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/profiles/file/profile-file.js';
import { profileStore } from '../../src/profiles/file/store.js';
import { sealedPending } from '../../src/verbs/api-keys/unfinished-rotation.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { 'api-keys': 1000 } });

/** A profile of its own key, so that tests do not take each other's away. */
async function ownProfile() {
  const env = emptyEnvironment();
  const admin = service.environment({ ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'] });
  const created = await runCli(
    ['api-keys', 'create', '--name', 'old', '--save-profile', 'prod', '-o', 'json'],
    {
      env: admin,
    },
  );
  const { id } = JSON.parse(created.stdout);
  const use = { ...env };
  await runCli(['profile', 'use', 'prod'], { env: use });
  const store = profileStore({ env: use, platform: process.platform, homedir: '/' });
  return { env: use, oldKey: String(id), store, stored: () => store.get('prod') };
}

const signerOf = ({ baseUrl, keyId, secret = '' }: Profile) => ({ baseUrl, keyId, secret });

async function keyIds(): Promise<string[]> {
  const ended = await runCli(['api-keys', 'list', '--all', '-o', 'json'], { env: service.environment() });
  const keys: { id: string }[] = JSON.parse(ended.stdout);
  return keys.map(({ id }) => id);
}

describe('api-keys rotate', () => {
  it('creates, proves, swaps and deletes', async () => {
    const { env, oldKey, stored } = await ownProfile();
    const ended = await runCli(['api-keys', 'rotate', '-o', 'json'], { env });
    expect(ended.code).toBe(0);
    const profile = await stored();
    expect(JSON.parse(ended.stdout)).toEqual({
      profile: 'prod',
      keyId: profile.keyId,
      replaced: oldKey,
      oldKeyDeleted: true,
    });
    expect(profile).not.toHaveProperty('pending');
    expect(profile).not.toHaveProperty('retiring');
    expect(await keyIds()).toContain(profile.keyId);
    expect(await keyIds()).not.toContain(oldKey);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toContain(profile.secret);
    expect(ended.stderr).not.toMatch(/going on|never in use/);
  });

  it('asks on a terminal, and names service, profile and whoever else has the key', async () => {
    const { env, oldKey, store, stored } = await ownProfile();
    await store.add('staging', await stored());
    const no = await runCli(['api-keys', 'rotate'], { env, isTTY: true, stdin: 'n\r' });
    expect(no).toMatchObject({ code: 130, stdout: '' });
    expect(no.stderr).toMatch(/profiles with the same key stop working: staging;.*--keep-old/);
    expect(no.stderr).toContain(`Replace ${oldKey}, which is deleted, on https://`);
    expect(no.stderr).toContain('(profile prod)');
    expect(await keyIds()).toContain(oldKey);
    const yes = await runCli(['api-keys', 'rotate', '--yes'], { env, isTTY: true });
    expect(yes).toMatchObject({ code: 0, stderr: expect.stringContaining('staging') });
  });

  it('leaves the old key valid with --keep-old', async () => {
    const { env, oldKey } = await ownProfile();
    const ended = await runCli(['api-keys', 'rotate', '--keep-old', '-o', 'json'], { env });
    expect(JSON.parse(ended.stdout)).toMatchObject({ oldKeyDeleted: false });
    expect(await keyIds()).toContain(oldKey);
  });

  it('keeps the old key in use while the new one is refused, and starts over with --restart', async () => {
    const { env, oldKey, store, stored } = await ownProfile();
    const pending = { keyId: 'key_gone', secret: 'a'.repeat(64), createdAt: '2026-01-01T00:00:00.000Z' };
    await store.update('prod', (profile) => ({
      ...profile,
      pending: sealedPending(pending, signerOf(profile)),
    }));
    const refused = await runCli(['api-keys', 'rotate'], { env });
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('--restart');
    expect((await stored()).keyId).toBe(oldKey);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    const restarted = await runCli(['api-keys', 'rotate', '--restart'], { env });
    expect(restarted.code).toBe(0);
    expect(restarted.stderr).toContain(
      'key_gone was never in use; delete it: orgctl api-keys delete key_gone',
    );
    expect((await stored()).keyId).not.toBe(oldKey);
  });

  it('starts over also where nothing was begun', async () => {
    const { env, oldKey, stored } = await ownProfile();
    const ended = await runCli(['api-keys', 'rotate', '--restart'], { env });
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('never in use')]);
    expect((await stored()).keyId).not.toBe(oldKey);
  });

  it.each([
    ['a base URL of the environment', {}, { ORGCTL_BASE_URL: 'https://service.example' }],
    ['a secret that a command prints', { secret: undefined, secretCommand: 'echo s' }, {}],
    ['no secret', { secret: undefined }, {}],
  ])('refuses %s, whatever else the profile holds', async (_what, change, variables) => {
    const { env, store } = await ownProfile();
    await store.update('prod', (profile) => ({ ...profile, ...change, baseUrl: 'https://service.example' }));
    const ended = await runCli(['api-keys', 'rotate', '-o', 'json'], { env: { ...env, ...variables } });
    expect(ended.code).toBe(3);
    expect(errorOf(ended)).toMatchObject({
      message: 'rotating needs a profile with its own base URL, key ID and secret',
      hint: expect.stringMatching(/^orgctl whoami shows where each comes from; /),
      next: ['orgctl', 'whoami'],
    });
  });

  it('refuses a secret that the keyring holds', async () => {
    const { env, store } = await ownProfile();
    await store.update('prod', ({ secret: _secret, ...profile }) => ({ ...profile, keyring: true }));
    const ended = await runCli(['api-keys', 'rotate', '-o', 'json'], { env });
    expect(ended.code).toBe(3);
    expect(errorOf(ended)).toMatchObject({
      message:
        'the secret of profile "prod" is in the keyring, but rotating stores secrets in the profile file',
      hint: expect.stringContaining('orgctl profile set NAME --key-id KEY_ID'),
    });
  });

  it.each([
    ['all of it', () => service.environment()],
    ['a key ID alone', () => ({ ...emptyEnvironment(), ORGCTL_KEY_ID: 'key_a' })],
    ['nothing', emptyEnvironment],
  ])('refuses a credential of which the environment has %s, and no profile', async (_what, environment) => {
    const ended = await runCli(['api-keys', 'rotate', '-o', 'json'], { env: environment() });
    expect(ended.code).toBe(3);
    expect(errorOf(ended)).toMatchObject({ code: 'config', hint: expect.stringContaining('whoami') });
  });
});
