import { describe, expect, it } from 'vitest';
import { errorOf, runCli } from '../support/run-cli.js';
import { recovered, secretsIn, useRotations } from './support/rotation.js';

const { service, keyIds, newKey, relayedProfile } = useRotations();

describe('api-keys rotate', () => {
  it('creates, proves, swaps and deletes', async () => {
    const { env, oldKey, stored, rotateJson } = await relayedProfile();
    const ended = await rotateJson();
    expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/going on|never in use/) });
    const { keyId, ...profile } = await stored();
    expect(JSON.parse(ended.stdout)).toEqual({
      ...{ profile: 'prod', keyId, replaced: oldKey, oldKeyDeleted: true },
    });
    expect(Object.keys(profile).sort()).toEqual(['baseUrl', 'secret']);
    expect(await keyIds()).toContain(keyId);
    expect(await keyIds()).not.toContain(oldKey);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    expect([ended.stdout.includes(String(profile.secret)), secretsIn(ended)]).toEqual([false, []]);
  });

  it('asks on a terminal, and names service, profile and whoever else has the key', async () => {
    const { env, oldKey, store, stored, peer } = await relayedProfile();
    await store.add('staging', await stored());
    const no = await runCli(['api-keys', 'rotate'], { env, isTTY: true, stdin: 'n\r' });
    expect(no).toMatchObject({ code: 130, stdout: '' });
    expect(no.stderr).toMatch(/profiles with the same key will stop working: staging;.*--keep-old/);
    expect(no.stderr).toContain(`Replace ${oldKey} with a new key on ${peer.origin}`);
    expect(no.stderr).toContain('(profile prod)? The old key will be deleted. [y/N]');
    expect(await keyIds()).toContain(oldKey);
    const yes = await runCli(['api-keys', 'rotate', '--yes'], { env, isTTY: true });
    expect(yes).toMatchObject({ code: 0, stderr: expect.stringContaining('staging') });
  });

  it('proves and retires with what a profile that -p names holds, whatever the environment says', async () => {
    const { env, oldKey, change } = await relayedProfile();
    await change((profile) => ({ ...profile, auth: 'hmac' }));
    const rotate = (...options: string[]) =>
      runCli(['api-keys', 'rotate', ...options], { env: { ...env, ORGCTL_AUTH: 'none' } });
    expect(await rotate()).toMatchObject({ code: 3 });
    expect(await rotate('-p', 'prod')).toMatchObject({ code: 0 });
    expect(await keyIds()).not.toContain(oldKey);
  });

  it('corrects the clock of the service, and tells it', async () => {
    const { rotate, change } = await relayedProfile();
    await change((profile) => ({ ...profile, baseUrl: service.server.url }));
    await service.server.control.clock.advance(3_600_000);
    const ended = await rotate();
    await service.server.control.clock.advance(-3_600_000);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain("signing with the service's clock");
  });

  it.each([
    [
      'refuses',
      {},
      /the pending key \S+ of profile "prod" is refused \(Invalid API signature\), so the secret of /,
    ],
    [
      'did not issue',
      { baseUrl: 'https://other.example' },
      /"prod" was issued by https:\/\/other.example, so the secret of /,
    ],
  ])('replaces a pending key that the service %s, and keeps its secret', async (_what, own, said) => {
    const { old, stored, change, rotate, directory } = await relayedProfile();
    const { baseUrl } = await stored();
    const { id } = await newKey('lost');
    const pending = {
      keyId: id,
      secret: 'a'.repeat(64),
      createdAt: '2026-01-01T00:00:00.000Z',
      baseUrl,
      ...own,
    };
    await change((profile) => ({ ...profile, pending }));
    const ended = await rotate();
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(said) });
    const remove = `nothing uses it, delete it: orgctl api-keys delete ${id}`;
    // A command would act at the other address.
    expect(ended.stderr.includes(remove)).toBe(!('baseUrl' in own));
    expect(recovered(directory)).toEqual([{ id, secret: pending.secret }]);
    const profile = await stored();
    expect([old.id, id]).not.toContain(profile.keyId);
    expect(profile).not.toHaveProperty('pending');
    expect(await keyIds()).toContain(id);
  });
});

describe('rotating is refused', () => {
  const notItsOwn = {
    message: 'rotating needs a profile that stores base URL, key ID and secret itself',
    hint: expect.stringMatching(/see where each comes from: orgctl whoami$/),
    next: ['orgctl', 'whoami'],
  };
  const elsewhere = { baseUrl: 'https://service.example' };
  const secret = 'e'.repeat(64);

  it.each<[string, object, Record<string, string>, object]>([
    ['a base URL of the environment', elsewhere, { ORGCTL_BASE_URL: elsewhere.baseUrl }, notItsOwn],
    ['a secret that a command prints', { secret: undefined, secretCommand: 'echo s' }, {}, notItsOwn],
    ['no secret', { secret: undefined }, {}, notItsOwn],
    ['a secret of the environment', {}, { ORGCTL_SECRET: secret }, notItsOwn],
    ['a secret that the keyring holds', { secret: undefined, keyring: true }, {}, notItsOwn],
  ])('with %s, whatever else the profile holds', async (_what, own, variables, error) => {
    const { env, change, peer } = await relayedProfile();
    await change((profile) => ({ ...profile, ...own }));
    const ended = await runCli(['api-keys', 'rotate', '-o', 'json'], { env: { ...env, ...variables } });
    expect(ended.code).toBe(3);
    expect(errorOf(ended)).toMatchObject(error);
    expect(peer.requests).toEqual([]);
  });
});
