import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { recovered, useRotations } from './support/rotation.js';
import { makeProfilesUnwritable, makeProfilesWritable } from './support/unwritable-profiles.js';

const { service, newKey, keyIds, interrupted } = useRotations();

const lose = (...ids: (string | undefined)[]) =>
  runCli(['api-keys', 'delete', ...ids.map(String), '--yes'], { env: service.environment() });

describe('an interrupted rotation', () => {
  it('goes on with its new key', async () => {
    const { rotate, stored, old } = await interrupted('GET /quotas');
    const { pending } = await stored();
    const proved = await rotate();
    expect(proved.code).toBe(0);
    expect(proved.stderr).toContain(`continuing with ${pending?.keyId}, created ${pending?.createdAt}`);
    expect((await stored()).keyId).toBe(pending?.keyId);
    expect(await keyIds()).not.toContain(old.id);
  });

  it('goes on with the deletion, whatever the profile is called by then', async () => {
    const { stored, env, rotateJson, old, store } = await interrupted('DELETE');
    const { keyId } = await stored();
    await runCli(['profile', 'rename', 'prod', 'live'], { env });
    expect(JSON.parse((await rotateJson('-p', 'live')).stdout)).toEqual({
      ...{ profile: 'live', keyId, replaced: old.id, oldKeyDeleted: true },
    });
    expect(await store.get('live')).not.toHaveProperty('retiring');
    expect(await keyIds()).not.toContain(old.id);
  });

  it('never deletes the key in use', async () => {
    const { change, rotate, stored } = await interrupted('DELETE');
    const { keyId } = await stored();
    await change((profile) => ({ ...profile, retiring: keyId }));
    expect((await rotate('--keep-old')).code).toBe(0);
    expect(await keyIds()).toEqual(expect.arrayContaining([keyId, (await stored()).keyId]));
  });
});

describe('keys that the service lost meanwhile, as by a reset,', () => {
  const set = ['profile', 'set', 'prod', '--key-id', 'key_x', '--secret-env', 'S', '--no-verify'];

  it('are the new one: another is created', async () => {
    const { stored, rotate, directory } = await interrupted('GET /quotas');
    const { pending } = await stored();
    await lose(pending?.keyId);
    expect((await rotate()).code).toBe(0);
    expect(recovered(directory)).toEqual([{ id: pending?.keyId, secret: pending?.secret }]);
  });

  it('are both: the profile can get another key', async () => {
    const { stored, old, rotate, env } = await interrupted('GET /quotas');
    await lose((await stored()).pending?.keyId, old.id);
    expect((await rotate()).code).toBe(4);
    expect(await runCli(set, { env: { ...env, S: 's' } })).toMatchObject({ code: 0 });
  });

  it('are the profile’s: --keep-old ends the rotation, so that another can be set', async () => {
    const { stored, rotate, env } = await interrupted('DELETE');
    await lose((await stored()).keyId);
    expect(await rotate()).toMatchObject({ code: 4, stderr: expect.stringContaining('--keep-old') });
    expect((await rotate('--keep-old')).code).toBe(0);
    expect(await runCli(set, { env: { ...env, S: 's' } })).toMatchObject({ code: 0 });
  });
});

it('a pending key whose secret cannot be kept stays in the profile', async () => {
  const { change, stored, rotate, env } = await interrupted('GET /quotas');
  const { id } = await newKey('other');
  await change(({ pending: _, ...profile }) => ({
    ...profile,
    pending: { keyId: id, secret: 'x'.repeat(64), createdAt: '2026-01-01T00:00:00.000Z' },
  }));
  const before = await stored();
  makeProfilesUnwritable(env);
  expect((await rotate()).code).toBe(3);
  makeProfilesWritable(env);
  expect(await stored()).toEqual(before);
});
