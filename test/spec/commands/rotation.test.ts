import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/profiles/file/parse-profile-file.js';
import { httpAnswer, type RecordedRequest } from '../../support/hostile-peer.js';
import { errorOf, runCli } from '../../support/run-cli.js';
import type { Passage } from '../support/relay.js';
import { recovered, secretsIn, useRotations } from '../support/rotation.js';
import { makeProfilesUnwritable, makeProfilesWritable } from '../support/unwritable-profiles.js';

const { service, newKey, keyIds, relayedProfile, interrupted } = useRotations();

/** Does something as the service is about to get a call, which then gets its answer, or this one. */
const at = (moment: string, act: (call: string, request: RecordedRequest) => unknown): Passage => ({
  before: async (call, request) => {
    const made = call.startsWith(moment) ? await act(call, request) : undefined;
    return typeof made === 'string' ? made : undefined;
  },
});

/** Does something once the first key is created. */
function onceCreated(act: () => 'drop' | undefined): Passage['after'] {
  let created = 0;
  return (call) => (call === 'POST /api-keys' && created++ === 0 ? act() : undefined);
}

function signerOf({ headers }: RecordedRequest): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
}

describe('each step is stored before the next', () => {
  it('the new secret before its proof, and the old key before its deletion', async () => {
    const seen: Record<string, unknown> = {};
    const { rotate, stored, oldKey, peer } = await relayedProfile((place) =>
      at('', async (call, request) => {
        if (call === 'GET /quotas') seen['signer'] = signerOf(request);
        seen[call.replace(/key_.*/, 'key')] = await place.stored();
      }),
    );
    expect((await rotate()).code).toBe(0);
    const { keyId, secret } = await stored();
    expect(seen).toMatchObject({
      'GET /quotas': { keyId: oldKey, pending: { keyId, secret, baseUrl: peer.origin } },
      signer: keyId,
      'DELETE /api-keys/key': { keyId, secret, retiring: oldKey },
    });
  });
});

describe('a profile that changes meanwhile', () => {
  const pending = { keyId: 'key_other', secret: 'other', createdAt: '2026-01-01T00:00:00.000Z' };
  const otherKey = { keyId: 'key_other', secret: 'other' };
  const otherPlace = { baseUrl: 'https://127.0.0.1:1' };

  it.each<[string, string, (profile: Profile) => Profile | undefined]>([
    ['POST /api-keys', 'another key', (profile) => ({ ...profile, ...otherKey })],
    ['POST /api-keys', 'nothing', () => undefined],
    ['GET /quotas', 'another address', (profile) => ({ ...profile, ...otherPlace })],
    ['GET /quotas', 'another secret', (profile) => ({ ...profile, secret: 'other' })],
    ['GET /quotas', 'another new key', (profile) => ({ ...profile, pending })],
    ['GET /quotas', 'no new key', ({ pending: _own, ...profile }) => profile],
  ])('during %s to have %s is left as it then is', async (moment, _what, change) => {
    const changed: unknown[] = [];
    const { rotate, store } = await relayedProfile(() =>
      at(moment, async () => {
        const { profiles, ...rest } = await store.read();
        const prod = profiles['prod'] && change(profiles['prod']);
        const content = { ...rest, profiles: prod === undefined ? {} : { prod } };
        writeFileSync(store.path(), JSON.stringify(content));
        changed.push(content.profiles);
      }),
    );
    const stderr = expect.stringMatching(
      /another process has changed profile "prod"|profile "prod" not found/,
    );
    expect(await rotate()).toMatchObject({ code: 3, stderr });
    expect([(await store.read()).profiles]).toEqual(changed);
  });
});

describe('a profile that cannot be written', () => {
  it('is found out before the key is created', async () => {
    const { env, calls, rotate } = await relayedProfile();
    makeProfilesUnwritable(env);
    expect((await rotate()).code).toBe(3);
    expect(calls()).not.toContain('POST /api-keys');
  });

  it('once the key is there, keeps its secret in a recovery file, and names the key', async () => {
    const { env, directory, rotate, rotateJson, stored, oldKey } = await relayedProfile((place) => ({
      after: onceCreated(() => void makeProfilesUnwritable(place.env)),
    }));
    const before = await keyIds();
    const ended = await rotateJson();
    const [key = { id: '', secret: '' }] = recovered(directory);
    expect(ended.code).toBe(3);
    for (const said of [
      'profile \\"prod\\" could not store the secret, so the secret of key_',
      `the new key ${key.id} was created, but is not in use`,
      `to delete the key: orgctl api-keys delete ${key.id}`,
      JSON.stringify(['orgctl', 'api-keys', 'delete', key.id]),
    ]) {
      expect(ended.stderr).toContain(said);
    }
    expect(secretsIn(ended)).toEqual([]);
    const works = service.environment({ ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: key.secret });
    expect((await runCli(['quotas'], { env: works })).code).toBe(0);
    makeProfilesWritable(env);
    expect((await rotate()).code).toBe(0);
    const { keyId } = await stored();
    const wanted = [...before.filter((each) => each !== oldKey), key.id, keyId];
    expect((await keyIds()).sort()).toEqual(wanted.sort());
  });
});

it.each([{ id: 'OLD' }, { id: 'an ID' }])(
  'a new key with an ID that cannot be used stops it: %j',
  async ({ id }) => {
    const secret = 'n'.repeat(64);
    const left = await relayedProfile((place) =>
      at('POST', async () =>
        httpAnswer(201, { id: id === 'OLD' ? (await place.stored()).keyId : id, secret }),
      ),
    );
    const before = await left.stored();
    expect(await left.rotate()).toMatchObject({ code: 10 });
    expect(await left.stored()).toEqual(before);
    expect(recovered(left.directory)).toMatchObject([{ secret }]);
  },
);

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

it('an interrupted rotation never deletes the key in use', async () => {
  const { change, rotate, stored } = await interrupted('DELETE');
  const { keyId } = await stored();
  await change((profile) => ({ ...profile, retiring: keyId }));
  expect((await rotate('--keep-old')).code).toBe(0);
  expect(await keyIds()).toEqual(expect.arrayContaining([keyId, (await stored()).keyId]));
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
