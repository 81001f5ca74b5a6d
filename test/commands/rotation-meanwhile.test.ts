import { describe, expect, it } from 'vitest';
import { errorOf, runCli } from '../support/run-cli.js';
import { recovered, useRotations } from './support/rotation.js';

const { service, relayedProfile, interrupted } = useRotations();

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
});
