import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/profiles/file/profile-file.js';
import { profileStore } from '../../src/profiles/file/store.js';
import { httpAnswer, type RecordedRequest } from '../support/hostile-peer.js';
import { type Ended, emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { type Passage, relayTo } from './support/relay.js';
import { makeProfilesUnwritable, makeProfilesWritable } from './support/unwritable-profiles.js';

const service = useService({ http: true, quotas: { 'api-keys': 1000 } });

type Env = Readonly<Record<string, string>>;

/** A profile of its own key whose requests pass a relay, and what the tests look at. */
async function relayedProfile(passage: (place: { env: Env; stored: () => Promise<Profile> }) => Passage) {
  const env = emptyEnvironment();
  const store = profileStore({ env, platform: process.platform, homedir: '/' });
  const stored = () => store.get('prod');
  const peer = await relayTo(service.server, passage({ env, stored }));
  const made = await runCli(['api-keys', 'create', '--name', 'old', '-o', 'json'], {
    env: service.environment(),
  });
  const { id, secret }: { id: string; secret: string } = JSON.parse(made.stdout);
  await store.add('prod', { baseUrl: peer.origin, keyId: id, secret });
  const rotate = (...options: string[]) => runCli(['api-keys', 'rotate', '-o', 'json', ...options], { env });
  return { env, peer, store, stored, oldKey: id, rotate };
}

async function keys(): Promise<{ id: string; name: string }[]> {
  const env = service.environment();
  return JSON.parse((await runCli(['api-keys', 'list', '--all', '-o', 'json'], { env })).stdout);
}
const keyIds = async () => (await keys()).map(({ id }) => id);

function signerOf({ headers }: RecordedRequest): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
}

/** Text that is no JSON line of an error, such as notes. */
function secretsIn({ stderr }: Ended): string[] {
  return stderr.match(/\b[0-9A-Za-z]{64}\b/g) ?? [];
}

describe('each step is stored before the next', () => {
  it('the creation before the POST, the new secret before its proof, the old key before its deletion', async () => {
    const seen: Record<string, Profile> = {};
    const begun: unknown[] = [];
    const { rotate, stored, oldKey, store } = await relayedProfile((place) => ({
      before: async (call) => {
        if (call === 'POST /api-keys') begun.push((await store.read()).creating?.['prod']);
        seen[call.replace(/key_.*/, 'key')] = await place.stored();
        return undefined;
      },
    }));
    const ended = await rotate();
    expect(ended.code).toBe(0);
    const { keyId, secret } = await stored();
    expect(begun).toEqual([expect.objectContaining({ name: expect.stringContaining('orgctl prod ') })]);
    expect(seen['GET /quotas']).toMatchObject({ keyId: oldKey, pending: { keyId, secret } });
    expect(seen['DELETE /api-keys/key']).toMatchObject({ keyId, secret, retiring: oldKey });
    expect(await store.read()).not.toHaveProperty('creating');
    expect(secretsIn(ended)).toEqual([]);
  });

  it('proves the new key with a read that it signs', async () => {
    const signers: (string | undefined)[] = [];
    const { rotate, stored } = await relayedProfile(() => ({
      before: (call, request) => {
        if (call === 'GET /quotas') signers.push(signerOf(request));
        return undefined;
      },
    }));
    await rotate();
    expect(signers).toEqual([(await stored()).keyId]);
  });

  it('keeps the old key while the proof fails', async () => {
    const { rotate, stored, oldKey } = await relayedProfile(() => ({
      before: (call) => (call === 'GET /quotas' ? httpAnswer(403, { message: 'no' }) : undefined),
    }));
    const ended = await rotate();
    expect(ended.code).toBe(5);
    const { keyId, pending } = await stored();
    expect([keyId, pending]).toEqual([oldKey, expect.objectContaining({ keyId: expect.any(String) })]);
    expect(ended.stderr).toContain(
      `the new key ${pending?.keyId} is stored as pending, and the old one is still in use`,
    );
    expect(await keyIds()).toContain(oldKey);
  });
});

describe('the new key', () => {
  it('that is refused leaves nothing behind: the next run begins anew', async () => {
    let refusals = 0;
    const refusal = { statusCode: 403, message: 'no' };
    const { rotate, store, stored, oldKey } = await relayedProfile(() => ({
      before: (call) =>
        call === 'POST /api-keys' && refusals++ === 0 ? httpAnswer(403, refusal) : undefined,
    }));
    const before = await stored();
    expect(await rotate()).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.not.stringContaining('may have been created'),
    });
    expect(await stored()).toEqual(before);
    expect(await store.read()).not.toHaveProperty('creating');
    expect((await rotate()).code).toBe(0);
    expect((await stored()).keyId).not.toBe(oldKey);
  });
});

describe('the deletion of the old key', () => {
  it('that fails is an error, and the next run goes on with it', async () => {
    let failures = 0;
    const { rotate, stored, oldKey } = await relayedProfile(() => ({
      before: (call) =>
        call.startsWith('DELETE') && failures++ === 0 ? httpAnswer(500, { message: 'no' }) : undefined,
    }));
    expect((await rotate()).code).toBe(10);
    const { keyId, retiring } = await stored();
    expect(retiring).toBe(oldKey);
    const again = await rotate();
    expect(JSON.parse(again.stdout)).toEqual({
      profile: 'prod',
      keyId,
      replaced: oldKey,
      oldKeyDeleted: true,
    });
    expect(await keyIds()).not.toContain(oldKey);
    expect(await stored()).not.toHaveProperty('retiring');
  });

  it('is done when the key is gone already', async () => {
    const { rotate, stored, oldKey } = await relayedProfile(() => ({
      before: async (call) => {
        if (call.startsWith('DELETE')) {
          const id = call.replace('DELETE /api-keys/', '');
          await runCli(['api-keys', 'delete', id, '--yes'], { env: service.environment() });
        }
        return undefined;
      },
    }));
    expect((await rotate()).code).toBe(0);
    expect(await keyIds()).not.toContain(oldKey);
    expect(await stored()).not.toHaveProperty('retiring');
  });
});

describe('a profile that changes meanwhile', () => {
  const pending = { keyId: 'key_other', secret: 'other', createdAt: '2026-01-01T00:00:00.000Z' };
  const changes: readonly (readonly [string, string, (profile: Profile) => Profile | undefined])[] = [
    ['POST /api-keys', 'another key', (profile) => ({ ...profile, keyId: 'key_other', secret: 'other' })],
    ['POST /api-keys', 'another new key', (profile) => ({ ...profile, pending })],
    ['POST /api-keys', 'nothing', () => undefined],
    ['POST /api-keys', 'another address', (profile) => ({ ...profile, baseUrl: 'https://127.0.0.1:1' })],
    ['GET /quotas', 'another address', (profile) => ({ ...profile, baseUrl: 'https://127.0.0.1:1' })],
    ['GET /quotas', 'another secret', (profile) => ({ ...profile, secret: 'other' })],
    ['GET /quotas', 'another key', (profile) => ({ ...profile, keyId: 'key_other', secret: 'other' })],
    ['GET /quotas', 'another new key', (profile) => ({ ...profile, pending })],
    ['GET /quotas', 'no new key', ({ pending: _own, ...profile }) => profile],
  ];
  it.each(changes)('during %s to have %s is left as it then is', async (moment, _what, change) => {
    const changed: unknown[] = [];
    const { rotate, store } = await relayedProfile(() => ({
      before: async (call) => {
        if (call !== moment) return undefined;
        // As by hand: the store itself would remove the record of the creation with the profile.
        const { profiles, ...rest } = await store.read();
        const prod = profiles['prod'] && change(profiles['prod']);
        const content = { ...rest, profiles: prod === undefined ? {} : { prod } };
        writeFileSync(store.path(), JSON.stringify(content));
        changed.push(content.profiles);
        return undefined;
      },
    }));
    const ended = await rotate();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('profile prod was changed by another process meanwhile');
    expect([(await store.read()).profiles]).toEqual(changed);
  });
});

describe('a secret or key ID of the environment is not the profile’s', () => {
  it.each([{ ORGCTL_SECRET: 'e'.repeat(64) }, { ORGCTL_SECRET: 'e'.repeat(64), ORGCTL_KEY_ID: 'key_env' }])(
    '%j',
    async (variables) => {
      const { env, peer } = await relayedProfile(() => ({}));
      const ended = await runCli(['api-keys', 'rotate'], { env: { ...env, ...variables } });
      expect(ended.code).toBe(3);
      expect(peer.requests).toEqual([]);
    },
  );
});

describe('a profile that cannot be written', () => {
  it('is found out before the key is created', async () => {
    const { env, peer, rotate } = await relayedProfile(() => ({}));
    makeProfilesUnwritable(env);
    const before = await keyIds();
    expect((await rotate()).code).toBe(3);
    expect(peer.requests.map(({ method }) => method)).not.toContain('POST');
    expect(await keyIds()).toEqual(before);
  });

  it('once the key is there, keeps its secret in a recovery file; the next run replaces that key', async () => {
    let done = false;
    const { env, rotate, stored, oldKey } = await relayedProfile((place) => ({
      after: (call) => {
        if (call === 'POST /api-keys' && !done) {
          makeProfilesUnwritable(place.env);
          done = true;
        }
        return undefined;
      },
    }));
    const directory = String(env['ORGCTL_CONFIG_DIR']);
    const before = await keyIds();
    const ended = await rotate();
    expect(ended.code).toBe(3);
    const [name = ''] = readdirSync(directory).filter((each) => each.startsWith('recovered-'));
    const { id, secret } = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    expect(ended.stderr).toContain(join(directory, name));
    expect(ended.stderr).toContain(`the new key ${id} was created, is enabled and not in use`);
    expect(ended.stderr).toContain(`delete it: orgctl api-keys delete ${id}; or fix the cause`);
    expect(ended.stderr).toContain(JSON.stringify(['orgctl', 'api-keys', 'delete', id]));
    expect(ended.stderr).toContain('profile prod could not store it');
    // Only who knows the secret learns that the key is disabled; and the next run keeps a key that was used.
    const works = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
    await service.server.control.keys.disable(id);
    expect((await runCli(['quotas'], { env: works })).stderr).toContain('API key is disabled');
    await service.server.control.keys.enable(id);
    makeProfilesWritable(env);
    expect((await rotate()).code).toBe(0);
    const { keyId } = await stored();
    expect((await keyIds()).sort()).toEqual([...before.filter((each) => each !== oldKey), keyId].sort());
  });

  it('nor anything beside it: the secret is on stderr', async () => {
    const { env, rotate } = await relayedProfile((place) => ({
      after: (call) => {
        const directory = String(place.env['ORGCTL_CONFIG_DIR']);
        if (call === 'POST /api-keys') {
          renameSync(directory, `${directory}-away`);
          writeFileSync(directory, '');
        }
        return undefined;
      },
    }));
    const ended = await rotate();
    expect(ended.code).toBe(3);
    const [secret = ''] = secretsIn(ended);
    const id = ended.stderr.match(/key_\w+/)?.[0];
    const works = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
    expect((await runCli(['quotas'], { env: works })).code).toBe(0);
    rmSync(String(env['ORGCTL_CONFIG_DIR']));
  });
});

describe('a POST whose answer never came', () => {
  it.each([[[]], [['--name', 'chosen']]])('leaves a key that the next run deletes: %j', async (options) => {
    let dropped = 0;
    const { rotate, stored, oldKey } = await relayedProfile(() => ({
      after: (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined),
    }));
    await runCli(['api-keys', 'create', '--name', 'chosen'], { env: service.environment() });
    const before = await keyIds();
    const first = await rotate(...options);
    expect(first.code).toBe(11);
    const orphan = (await keys()).find(({ id }) => !before.includes(id));
    expect(errorOf(first)['hint']).toContain(orphan?.name);
    const second = await rotate(...options);
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(orphan?.id);
    const { keyId } = await stored();
    expect((await keyIds()).sort()).toEqual([...before.filter((each) => each !== oldKey), keyId].sort());
  });

  it('at another address, by a profile that was moved since, deletes none there', async () => {
    let dropped = 0;
    const { env, rotate, store } = await relayedProfile(() => ({
      after: (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined),
    }));
    const before = await keyIds();
    expect((await rotate('--name', 'moved')).code).toBe(11);
    const orphan = (await keyIds()).filter((id) => !before.includes(id));
    const moved = await runCli(['profile', 'set', 'prod', '--base-url', service.server.url, '--allow-host'], {
      env,
    });
    expect(moved.code).toBe(0);
    const ended = await rotate('--name', 'moved');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(`the recorded creation of a key for profile prod is for`);
    expect(await keyIds()).toEqual(expect.arrayContaining(orphan));
    expect(await store.read()).not.toHaveProperty('creating');
  });

  it('of a profile that was renamed since leaves a key that is deleted all the same', async () => {
    let dropped = 0;
    const { env, rotate } = await relayedProfile(() => ({
      after: (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined),
    }));
    const before = await keyIds();
    await rotate();
    const [orphan = ''] = (await keyIds()).filter((id) => !before.includes(id));
    await runCli(['profile', 'rename', 'prod', 'live'], { env });
    expect((await rotate()).code).toBe(0);
    expect(await keyIds()).not.toContain(orphan);
  });

  it('by a service that lists no keys is named', async () => {
    let dropped = 0;
    const { rotate, stored } = await relayedProfile(() => ({
      before: (call) => (call === 'GET /api-keys' ? httpAnswer(404, { message: 'no such path' }) : undefined),
      after: (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined),
    }));
    const before = await keyIds();
    await rotate();
    const orphan = (await keys()).find(({ id }) => !before.includes(id));
    const second = await rotate();
    expect([second.code, before.includes((await stored()).keyId)]).toEqual([0, false]);
    expect(second.stderr).toContain(String(orphan?.name));
  });
});

describe('the trial of the new key', () => {
  it('uses the effective settings', async () => {
    const proofs: RecordedRequest[] = [];
    const { env } = await relayedProfile(() => ({
      before: (call, request) => {
        if (call !== 'GET /quotas') return undefined;
        proofs.push(request);
        return httpAnswer(503, { message: 'later' });
      },
    }));
    const args = ['api-keys', 'rotate', '--retries', '0', '--auth', 'basic'];
    expect((await runCli(args, { env })).code).toBe(10);
    expect(proofs).toHaveLength(1);
    expect(proofs.map(signerOf)).toEqual([undefined]);
    const variables = { ORGCTL_RETRIES: '0' };
    expect((await runCli(['api-keys', 'rotate'], { env: { ...env, ...variables } })).code).toBe(10);
    expect(proofs).toHaveLength(2);
  });
});
