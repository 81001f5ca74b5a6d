import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/profiles/file/parse-profile-file.js';
import { httpAnswer, type RecordedRequest } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import type { Passage } from './support/relay.js';
import { recovered, secretsIn, useRotations } from './support/rotation.js';
import { makeProfilesUnwritable, makeProfilesWritable } from './support/unwritable-profiles.js';

const { service, keys, keyIds, relayedProfile } = useRotations();

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

  it('keeps the old key while the proof fails', async () => {
    const { rotate, stored, oldKey } = await relayedProfile(() =>
      at('GET /quotas', () => httpAnswer(403, { message: 'no' })),
    );
    const ended = await rotate();
    expect(ended.code).toBe(5);
    const { keyId, pending } = await stored();
    expect([keyId, pending]).toEqual([oldKey, expect.objectContaining({ keyId: expect.any(String) })]);
    expect(ended.stderr).toContain(
      `the new key ${pending?.keyId} is stored as pending, and the old one is still in use`,
    );
    expect(await keyIds()).toContain(oldKey);
  });

  it('tries a new key again that the service accepts late', async () => {
    let refusals = 1;
    const { rotate, stored, calls } = await relayedProfile(() =>
      at('GET /quotas', () =>
        refusals-- > 0 ? httpAnswer(401, { statusCode: 401, message: 'Invalid API key' }) : undefined,
      ),
    );
    expect(await rotate('--keep-old')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('run the command again to continue'),
    });
    const { pending } = await stored();
    const again = await rotate('--keep-old', '--name', 'other');
    expect(again).toMatchObject({ code: 0 });
    expect((await stored()).keyId).toBe(pending?.keyId);
    expect(calls().filter((call) => call === 'POST /api-keys')).toHaveLength(1);
  });

  it('tries the new key with the effective settings', async () => {
    const proofs: (string | undefined)[] = [];
    const { env, oldKey } = await relayedProfile(() =>
      at('GET /quotas', (_call, request) => {
        proofs.push(signerOf(request));
        return httpAnswer(503, { message: 'later' });
      }),
    );
    const args = ['api-keys', 'rotate', '--retries', '0', '--auth', 'basic'];
    expect((await runCli(args, { env })).code).toBe(10);
    const variables = { ORGCTL_RETRIES: '0' };
    expect((await runCli(['api-keys', 'rotate'], { env: { ...env, ...variables } })).code).toBe(10);
    expect(proofs).toEqual([undefined, expect.not.stringContaining(oldKey)]);
  });

  it('takes an old key that is gone already for deleted', async () => {
    const { rotate, stored, oldKey } = await relayedProfile(() =>
      at('DELETE', () =>
        runCli(['api-keys', 'delete', oldKey, '--yes'], { env: service.environment() }).then(() => undefined),
      ),
    );
    expect((await rotate()).code).toBe(0);
    expect(await keyIds()).not.toContain(oldKey);
    expect(await stored()).not.toHaveProperty('retiring');
  });

  it('says what is left when the deletion is refused; its hint ends it', async () => {
    const { rotate, stored, oldKey, env } = await relayedProfile(() =>
      at('DELETE', () => httpAnswer(403, { message: 'no' })),
    );
    const ended = await rotate();
    const { keyId } = await stored();
    expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining('error: no') });
    expect(ended.stderr).toContain(
      `profile "prod" has the new key ${keyId}, but the old one, ${oldKey}, may still be valid`,
    );
    expect(ended.stderr).toContain(`another profile: orgctl api-keys delete -p NAME ${oldKey}\n`);
    expect(await runCli(['api-keys', 'rotate', '--keep-old'], { env })).toMatchObject({ code: 0 });
    expect(await stored()).not.toHaveProperty('retiring');
    expect(await stored()).toMatchObject({ keyId });
    expect(await keyIds()).toContain(oldKey);
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

it('a POST whose answer never came is exit 11 and names the key, which no later run deletes', async () => {
  const left = await relayedProfile(() => ({ after: onceCreated(() => 'drop') }));
  const before = await keyIds();
  const ended = await left.rotateJson();
  expect(ended.code).toBe(11);
  const unused = (await keys()).find(({ id }) => !before.includes(id));
  expect(unused?.name).toMatch(/^orgctl prod \w+$/);
  expect(errorOf(ended)['next']).toEqual(['orgctl', 'api-keys', 'list', '--all', '--name', unused?.name]);
  expect(await left.stored()).toMatchObject({ keyId: left.oldKey });
  expect(await left.rotate()).toMatchObject({ code: 0 });
  const wanted = [...before.filter((each) => each !== left.oldKey), unused?.id, (await left.stored()).keyId];
  expect((await keyIds()).sort()).toEqual(wanted.sort());
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
