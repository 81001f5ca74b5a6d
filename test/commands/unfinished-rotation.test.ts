import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/profiles/file/profile-file.js';
import { sealedRetiring } from '../../src/verbs/api-keys/rotation/unfinished-rotation.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { relayTo } from './support/relay.js';
import { recovered, useRotations } from './support/rotation.js';

const { service, newKey, keyIds, relayedProfile, interrupted } = useRotations();

const signerOf = ({ baseUrl, keyId, secret = '' }: Profile) => ({ baseUrl, keyId, secret });

const createdAt = '2026-01-01T00:00:00.000Z';

describe('what an interrupted rotation left', () => {
  it('is sealed by the key that the profile has at each step', async () => {
    const proving = await interrupted('GET /quotas');
    const { pending } = await proving.stored();
    expect(pending).toMatchObject({
      seal: { version: 1, baseUrl: `${proving.peer.origin}`, keyId: proving.old.id },
    });
    const proved = await proving.rotate();
    expect(proved.code).toBe(0);
    expect(proved.stderr).toContain(`continuing with ${pending?.keyId}, created ${pending?.createdAt}`);
    expect((await proving.stored()).keyId).toBe(pending?.keyId);
    expect(await keyIds()).not.toContain(proving.old.id);
    const deleting = await interrupted('DELETE');
    const { keyId, retiringSeal } = await deleting.stored();
    expect(retiringSeal).toMatchObject({ baseUrl: `${deleting.peer.origin}`, keyId });
    // Whatever the profile is called by then.
    await runCli(['profile', 'rename', 'prod', 'live'], { env: deleting.env });
    expect(JSON.parse((await deleting.rotateJson('-p', 'live')).stdout)).toEqual({
      ...{ profile: 'live', keyId, replaced: deleting.old.id, oldKeyDeleted: true },
    });
    const live = await deleting.store.get('live');
    for (const field of ['retiring', 'retiringSeal']) expect(live).not.toHaveProperty(field);
    expect(await keyIds()).not.toContain(deleting.old.id);
  });
});

describe('keys that the service lost meanwhile, as by a reset,', () => {
  const lose = (...ids: (string | undefined)[]) =>
    runCli(['api-keys', 'delete', ...ids.map(String), '--yes'], { env: service.environment() });

  it('are the new one: the hint creates another', async () => {
    const { stored, rotateJson, env } = await interrupted('GET /quotas');
    await lose((await stored()).pending?.keyId);
    const { next, exitCode } = errorOf(await rotateJson('--quiet'));
    expect([exitCode, next]).toEqual([4, ['orgctl', 'api-keys', 'rotate']]);
    expect(await runCli(['api-keys', 'rotate', '--restart'], { env })).toMatchObject({
      ...{ code: 0, stderr: expect.not.stringContaining('never in use') },
    });
  });

  it('are both: the hint begins with another profile', async () => {
    const { stored, old, rotateJson, env } = await interrupted('GET /quotas');
    await lose((await stored()).pending?.keyId, old.id);
    const { hint } = errorOf(await rotateJson('--restart'));
    expect(hint).toMatch(/: orgctl profile remove prod$/);
    expect(await runCli(['profile', 'remove', 'prod', '--yes'], { env })).toMatchObject({ code: 0 });
  });

  it('are the profile’s: the hint ends the rotation, so that another can be set', async () => {
    const { stored, rotateJson, env } = await interrupted('DELETE');
    await lose((await stored()).keyId);
    expect(errorOf(await rotateJson())['hint']).toMatch(/: orgctl api-keys rotate --keep-old$/);
    await rotateJson('--keep-old');
    const set = ['profile', 'set', 'prod', '--key-id', 'key_x', '--secret-env', 'S', '--no-verify'];
    expect(await runCli(set, { env: { ...env, S: 's' } })).toMatchObject({ code: 0 });
  });
});

it('a new key whose secret was emptied by hand leaves no recovery file, nor does its profile', async () => {
  const { change, directory, rotate, env } = await interrupted('GET /quotas');
  const empty = () =>
    change(({ pending, ...rest }) => ({
      ...rest,
      pending: { keyId: 'key_new', createdAt, ...pending, secret: '' },
    }));
  await empty();
  expect((await rotate()).stderr).toContain('Its secret is empty.');
  await empty();
  expect((await runCli(['profile', 'remove', 'prod', '--yes'], { env })).code).toBe(0);
  expect(recovered(directory)).toEqual([]);
});

describe('a new key that this key did not write at this address', () => {
  const pendingOf = ({ pending }: Profile) => pending ?? { keyId: '', secret: '', createdAt };
  const withPending = (profile: Profile, change: object) => ({
    ...profile,
    pending: { ...pendingOf(profile), ...change },
  });
  // Each way in which a record is another's: test/profiles/record-seal.test.ts.
  const edits: readonly (readonly [string, RegExp, (profile: Profile) => Promise<Profile> | Profile])[] = [
    [
      'another address',
      /is for "http/,
      async (profile) => ({ ...profile, baseUrl: (await relayTo(service.server, {})).origin }),
    ],
    ['no seal', /was written by another version/, (profile) => withPending(profile, { seal: undefined })],
    ['a forgery', /was not written here/, (profile) => withPending(profile, { secret: 'f'.repeat(64) })],
    [
      'the seal of an old key',
      /was not written here/,
      (profile) => {
        const { retiringSeal } = sealedRetiring(pendingOf(profile).keyId, signerOf(profile));
        return withPending(profile, { seal: retiringSeal });
      },
    ],
  ];

  it.each(edits)('is neither used nor lost: %s', async (_what, why, edit) => {
    const left = await interrupted('GET /quotas');
    const changed = await edit(await left.stored());
    await left.change(() => changed);
    const { keyId, secret } = pendingOf(changed);
    const before = await keyIds();
    const ended = await left.rotate('--quiet');
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(why)]);
    expect(ended.stderr).toContain(`the pending key "${keyId}" of profile "prod"`);
    expect(ended.stderr).toContain('orgctl api-keys list --all');
    expect(ended.stderr).not.toContain(secret);
    expect(recovered(left.directory)).toEqual([{ id: keyId, secret }]);
    const now = await left.stored();
    expect([now.keyId === keyId, now.pending]).toEqual([false, undefined]);
    expect((await keyIds()).sort()).toEqual(
      [...before.filter((id) => id !== changed.keyId), now.keyId].sort(),
    );
  });

  it('overwrites no other secret in a recovery file', async () => {
    const { directory, change, rotate } = await relayedProfile();
    const pending = { keyId: 'key_b', secret: 'b', createdAt, seal: {} };
    const others = join(directory, 'recovered-key_b.json');
    const both = ['b', 'other'].map((secret) => ({ id: 'key_b', secret }));
    for (const here of both.toReversed()) {
      writeFileSync(others, `${JSON.stringify(here, null, 2)}\n`, { mode: 0o600 });
      await change((profile) => ({ ...profile, pending }));
      expect((await rotate()).code).toBe(0);
      if (here.secret === 'other') expect(recovered(directory)).toEqual(expect.arrayContaining(both));
    }
    expect(recovered(directory)).toHaveLength(3);
  });
});

describe('an old key that this key did not replace at this address', () => {
  const edits: readonly (readonly [string, RegExp, (profile: Profile, id: string) => Profile])[] = [
    [
      'no seal',
      /was written by another version/,
      ({ retiringSeal: _, ...profile }, id) => ({ ...profile, retiring: id }),
    ],
    ['a forged ID', /was not written here/, (profile, id) => ({ ...profile, retiring: id })],
    [
      'the key in use',
      /is the key in use/,
      ({ retiringSeal: _, ...profile }) => ({ ...profile, retiring: profile.keyId }),
    ],
  ];

  it.each(edits)('is not deleted: %s', async (_what, why, edit) => {
    const left = await interrupted('DELETE');
    const { id } = await newKey('unrelated');
    const changed = edit(await left.stored(), id);
    await left.change(() => changed);
    const before = await keyIds();
    const ended = await left.rotate('--quiet');
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(why)]);
    expect(ended.stderr).toContain(`records that a rotation has replaced "${changed.retiring}"`);
    const now = await left.stored();
    expect(now).not.toHaveProperty('retiring');
    // The rotation that was asked for replaced the profile's own key, and nothing else is gone.
    const expected = [...before.filter((each) => each !== changed.keyId), now.keyId];
    expect((await keyIds()).sort()).toEqual(expected.sort());
  });
});
