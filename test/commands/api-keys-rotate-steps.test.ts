import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/profiles/file/parse-profile-file.js';
import { httpAnswer, type RecordedRequest } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import type { Passage } from './support/relay.js';
import { recovered, secretsIn, useRotations } from './support/rotation.js';
import { makeProfilesUnwritable, makeProfilesWritable } from './support/unwritable-profiles.js';

const { service, keyIds, relayedProfile } = useRotations();

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
