import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/profiles/file/parse-profile-file.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { recovered, useRotations } from './support/rotation.js';

const { service, keyIds, relayedProfile, interrupted } = useRotations();

const other = { keyId: 'key_other', secret: 'other' };

type Relayed = Awaited<ReturnType<typeof relayedProfile>>;

/** A profile for which something else happens at its first such call. */
async function whileCalling(at: string, act: (profile: Relayed) => Promise<unknown>): Promise<Relayed> {
  let begun = false;
  const profile: Relayed = await relayedProfile(() => ({
    before: async (call) => {
      if (begun || !call.startsWith(at)) return undefined;
      begun = true;
      await act(profile);
      return undefined;
    },
  }));
  return profile;
}

describe('while a rotation is unfinished', () => {
  it.each(['GET /quotas', 'DELETE'] as const)('at %s, address, key and secret stay', async (call) => {
    const { env, stored } = await interrupted(call);
    const before = await stored();
    for (const change of [
      ['--base-url', service.server.url, '--allow-host'],
      ['--key-id', 'key_other', '--secret-env', 'S'],
      ['--secret-env', 'S'],
      ['--secret-command', 'echo s'],
      ['--keyring'],
    ]) {
      const args = ['profile', 'set', 'prod', ...change, '--no-verify', '-o', 'json'];
      const ended = await runCli(args, { env: { ...env, S: 's' } });
      expect([change, ended.code, errorOf(ended)]).toEqual([
        change,
        3,
        expect.objectContaining({
          hint: 'finish it first: orgctl api-keys rotate -p prod',
          next: ['orgctl', 'api-keys', 'rotate', '-p', 'prod'],
        }),
      ]);
    }
    expect(await stored()).toEqual(before);
    const harmless = ['profile', 'set', 'prod', '--timeout', '9s', '--base-url', before.baseUrl];
    expect((await runCli([...harmless, '--no-verify'], { env })).code).toBe(0);
    expect((await runCli(['api-keys', 'rotate', '-p', 'prod'], { env })).code).toBe(0);
  });

  it('a rotation that ends while another secret is tried keeps its own', async () => {
    const { env, stored } = await whileCalling('GET /quotas', async ({ rotate }) =>
      expect((await rotate('--keep-old')).code).toBe(0),
    );
    const { secret } = await stored();
    const ended = await runCli(['profile', 'set', 'prod', '--secret-env', 'S'], {
      env: { ...env, S: secret },
    });
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining('another process has changed')]);
    expect((await runCli(['quotas', '-p', 'prod'], { env })).code).toBe(0);
  });

  it('a secret that somebody else stores while another is tried stays', async () => {
    const { env, stored } = await whileCalling('GET /quotas', ({ change }) =>
      change((profile) => ({ ...profile, secret: other.secret })),
    );
    const { secret } = await stored();
    const args = ['profile', 'set', 'prod', '--secret-env', 'S'];
    expect(await runCli(args, { env: { ...env, S: secret } })).toMatchObject({ code: 3 });
    expect(await stored()).toMatchObject({ secret: other.secret });
  });

  it.each(['POST /api-keys', 'GET /quotas'])('a second one at %s ends, and the profile works', async (at) => {
    const { rotate, env } = await whileCalling(at, (profile) => profile.rotate());
    expect([0, 3, 4]).toContain((await rotate()).code);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
  });

  it.each(['GET /quotas', 'DELETE'] as const)('at %s, profile show names the other key', async (call) => {
    const { env, stored, oldKey } = await interrupted(call);
    const { pending } = await stored();
    const { stdout, stderr } = await runCli(['profile', 'show', '-o', 'json'], { env });
    const other = pending === undefined ? { retiringKeyId: oldKey } : { pendingKeyId: pending.keyId };
    expect(JSON.parse(stdout)).toMatchObject(other);
    expect(stderr).toContain('finish it: orgctl api-keys rotate -p prod');
  });

  it('the profile can be removed, the secret of the new key is kept, and the old key is named', async () => {
    const proving = await interrupted('GET /quotas');
    const { pending } = await proving.stored();
    const remove = ['profile', 'remove', 'prod', '--yes'];
    const ended = await runCli([...remove, '--quiet'], { env: proving.env });
    const [file] = recovered(proving.directory);
    expect(file).toEqual({ id: pending?.keyId, secret: pending?.secret });
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining(`recovered-${file?.id}.json`)]);
    expect(ended.stderr).not.toContain(file?.secret);
    const { env, old } = await interrupted('DELETE');
    const { stderr } = await runCli(remove, { env });
    expect(stderr).toContain(`${old.id}, which a rotation replaced, may still be valid`);
  });

  it('a profile removed during the proof costs no secret', async () => {
    const left = await relayedProfile(() => ({
      before: async (call) => {
        if (call === 'GET /quotas') await left.store.remove('prod');
        return undefined;
      },
    }));
    const ended = await left.rotate();
    expect(ended.code).toBe(3);
    const [{ id, secret } = { id: '', secret: '' }] = recovered(left.directory);
    const env = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
    expect((await runCli(['quotas'], { env })).code).toBe(0);
  });

  it.each([
    ['has another key', (one: Profile) => ({ ...one, ...other })],
    ['has another address', (one: Profile) => ({ ...one, baseUrl: 'https://127.0.0.1:1' })],
  ])('a new key whose profile %s is named by the error', async (_what, change) => {
    const left = await whileCalling('POST /api-keys', async (profile) => {
      await profile.change(change);
    });
    const lost = await left.rotate();
    const [{ id } = { id: '' }] = recovered(left.directory);
    const remove = `to delete the key: orgctl api-keys delete ${id}\n`;
    expect([lost.code, lost.stderr]).toEqual([3, expect.stringContaining(remove)]);
    expect(await keyIds()).toContain(id);
  });
});
