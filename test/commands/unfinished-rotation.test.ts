import { describe, expect, it } from 'vitest';
import { useRotations } from './support/rotation.js';
import { makeProfilesUnwritable, makeProfilesWritable } from './support/unwritable-profiles.js';

const { newKey, keyIds, interrupted } = useRotations();

describe('an interrupted rotation', () => {
  it('never deletes the key in use', async () => {
    const { change, rotate, stored } = await interrupted('DELETE');
    const { keyId } = await stored();
    await change((profile) => ({ ...profile, retiring: keyId }));
    expect((await rotate('--keep-old')).code).toBe(0);
    expect(await keyIds()).toEqual(expect.arrayContaining([keyId, (await stored()).keyId]));
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
