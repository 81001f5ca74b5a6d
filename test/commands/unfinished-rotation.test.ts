import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/profiles/file/profile-file.js';
import { profileStore } from '../../src/profiles/file/store.js';
import { sealedPending, sealedRetiring } from '../../src/verbs/api-keys/unfinished-rotation.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { type Passage, relayTo } from './support/relay.js';

// One organization stands for two: what counts is which requests reach which address.
const service = useService({ http: true, quotas: { 'api-keys': 1000 } });

type Env = Readonly<Record<string, string | undefined>>;
interface Key {
  readonly id: string;
  readonly secret: string;
}

async function newKey(name: string): Promise<Key> {
  const { stdout } = await runCli(['api-keys', 'create', '--name', name, '-o', 'json'], {
    env: service.environment(),
  });
  return JSON.parse(stdout);
}

async function keyIds(): Promise<string[]> {
  const { stdout } = await runCli(['api-keys', 'list', '--all', '-o', 'json'], {
    env: service.environment(),
  });
  const keys: Key[] = JSON.parse(stdout);
  return keys.map(({ id }) => id);
}

const storeOf = (env: Env) => profileStore({ env, platform: process.platform, homedir: '/' });
const signerOf = ({ baseUrl, keyId, secret = '' }: Profile) => ({ baseUrl, keyId, secret });

/** A profile `prod` of a key of its own, behind a relay. */
async function place(passage: Passage = {}) {
  const env = service.environment({
    ORGCTL_BASE_URL: undefined,
    ORGCTL_KEY_ID: undefined,
    ORGCTL_SECRET: undefined,
  });
  const peer = await relayTo(service.server, passage);
  const store = storeOf(env);
  const old = await newKey('old');
  await store.add('prod', { baseUrl: `${peer.origin}`, keyId: old.id, secret: old.secret });
  return {
    env,
    peer,
    store,
    old,
    directory: String(env['ORGCTL_CONFIG_DIR']),
    calls: () => peer.requests.map(({ method, target }) => `${method} ${target.replace(/\?.*/, '')}`),
    stored: () => store.get('prod'),
    change: (change: (profile: Profile) => Profile) => store.update('prod', change),
    rotate: (...options: string[]) => runCli(['api-keys', 'rotate', ...options], { env }),
  };
}

/** A rotation that stopped before the proof, or before the deletion of the old key. */
async function interrupted(call: 'GET /quotas' | 'DELETE') {
  let stops = 1;
  const left = await place({
    before: (each) =>
      each.startsWith(call) && stops-- > 0 ? httpAnswer(500, { statusCode: 500, message: 'no' }) : undefined,
  });
  expect((await left.rotate()).code).toBe(10);
  return left;
}

/** What is in the recovery files. */
function recovered(directory: string): Key[] {
  const names = readdirSync(directory).filter((name) => name.startsWith('recovered-'));
  for (const name of names) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
}

const createdAt = '2026-01-01T00:00:00.000Z';

describe('what an interrupted rotation left', () => {
  it('is sealed by the key that the profile has at each step', async () => {
    const proving = await interrupted('GET /quotas');
    const { pending } = await proving.stored();
    expect(pending).toMatchObject({
      seal: { version: 2, baseUrl: `${proving.peer.origin}`, keyId: proving.old.id },
    });
    expect((await proving.rotate()).code).toBe(0);
    expect(await keyIds()).not.toContain(proving.old.id);
    const deleting = await interrupted('DELETE');
    const { keyId, retiringSeal } = await deleting.stored();
    expect(retiringSeal).toMatchObject({ baseUrl: `${deleting.peer.origin}`, keyId });
    expect((await deleting.rotate()).code).toBe(0);
    expect(await deleting.stored()).not.toHaveProperty('retiringSeal');
    expect(await keyIds()).not.toContain(deleting.old.id);
  });

  it('is continued by a renamed or copied profile', async () => {
    const { env, old, stored, store, rotate } = await interrupted('DELETE');
    await store.add('copy', await stored());
    await runCli(['profile', 'rename', 'prod', 'live'], { env });
    expect(JSON.parse((await rotate('-p', 'live', '-o', 'json')).stdout)).toMatchObject({ replaced: old.id });
    expect(JSON.parse((await rotate('-p', 'copy', '-o', 'json')).stdout)).toMatchObject({ replaced: old.id });
    expect(await keyIds()).not.toContain(old.id);
  });
});

describe('a new key that this key did not write at this address', () => {
  const edits: readonly (readonly [string, RegExp, (profile: Profile) => Promise<Profile> | Profile])[] = [
    [
      'another address',
      /is for "http/,
      async (profile) => ({ ...profile, baseUrl: `${(await relayTo(service.server, {})).origin}` }),
    ],
    [
      'another host',
      /is for "http/,
      (profile) => ({ ...profile, baseUrl: profile.baseUrl.replace('127.0.0.1', 'localhost') }),
    ],
    [
      'another key',
      /is for the key/,
      async (profile) => {
        const { id, secret } = await newKey('another');
        return { ...profile, keyId: id, secret };
      },
    ],
    [
      'a forged ID',
      /was not written here/,
      (profile) => ({ ...profile, pending: { ...pendingOf(profile), keyId: 'key_forged' } }),
    ],
    [
      'a forged secret',
      /was not written here/,
      (profile) => ({ ...profile, pending: { ...pendingOf(profile), secret: 'f'.repeat(64) } }),
    ],
    [
      'no seal of ours',
      /is not an orgctl record/,
      (profile) => ({ ...profile, pending: { ...pendingOf(profile), seal: 7 } }),
    ],
    [
      'the seal of an old key',
      /was not written here/,
      (profile) => ({
        ...profile,
        pending: {
          ...pendingOf(profile),
          seal: sealedRetiring(pendingOf(profile).keyId, signerOf(profile)).retiringSeal,
        },
      }),
    ],
  ];
  const pendingOf = ({ pending }: Profile) => pending ?? { keyId: '', secret: '', createdAt };

  it.each(edits)('is neither used nor lost: %s', async (_what, why, edit) => {
    const left = await interrupted('GET /quotas');
    const changed = await edit(await left.stored());
    await left.change(() => changed);
    const { keyId, secret } = pendingOf(changed);
    const before = await keyIds();
    const ended = await left.rotate('--quiet');
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(why)]);
    expect(ended.stderr).toContain(`the pending key "${keyId}" of profile prod`);
    expect(ended.stderr).toContain('orgctl api-keys list --all');
    expect(ended.stderr).not.toContain(secret);
    expect(recovered(left.directory)).toEqual([{ id: keyId, secret }]);
    const now = await left.stored();
    expect([now.keyId === keyId, now.pending]).toEqual([false, undefined]);
    expect((await keyIds()).sort()).toEqual(
      [...before.filter((id) => id !== changed.keyId), now.keyId].sort(),
    );
  });

  it('overwrites no other secret in a recovery file, and makes no second copy', async () => {
    const { directory, change, rotate } = await place();
    const pending = { keyId: 'key_b', secret: 'b', createdAt, seal: {} };
    const others = join(directory, 'recovered-key_b.json');
    writeFileSync(others, JSON.stringify({ id: 'key_b', secret: 'other' }), { mode: 0o600 });
    await change((profile) => ({ ...profile, pending }));
    expect((await rotate()).code).toBe(0);
    const both = [
      { id: 'key_b', secret: 'b' },
      { id: 'key_b', secret: 'other' },
    ];
    expect(recovered(directory)).toEqual(expect.arrayContaining(both));
    writeFileSync(others, `${JSON.stringify(both[0], null, 2)}\n`, { mode: 0o600 });
    await change((profile) => ({ ...profile, pending }));
    expect((await rotate()).code).toBe(0);
    expect(recovered(directory)).toHaveLength(2);
  });
});

describe('an old key that this key did not replace at this address', () => {
  const edits: readonly (readonly [string, RegExp, (profile: Profile, id: string) => Profile])[] = [
    [
      'another address',
      /is for "http/,
      (profile) => ({ ...profile, baseUrl: profile.baseUrl.replace('127.0.0.1', 'localhost') }),
    ],
    ['a forged ID', /was not written here/, (profile, id) => ({ ...profile, retiring: id })],
    ['the key in use', /is the key in use/, (profile) => ({ ...profile, retiring: profile.keyId })],
    [
      'the key in use, unsealed',
      /is the key in use/,
      ({ retiringSeal: _, ...profile }) => ({ ...profile, retiring: profile.keyId }),
    ],
    [
      'the seal of a new key',
      /was not written here/,
      (profile, id) => ({
        ...profile,
        retiring: id,
        retiringSeal: sealedPending({ keyId: id, secret: 'x', createdAt }, signerOf(profile)).seal,
      }),
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

describe('what 0.1.0 left, which named no address', () => {
  const terminal = { stdin: true, stderr: true };

  it.each([
    ['--yes', ['--yes'], {}],
    ['yes on a terminal', [], { isTTY: terminal, stdin: 'y\r' }],
  ])('a new key is put in place: %s', async (_what, options, typed) => {
    const { env, old, change, stored, peer } = await place();
    const made = await newKey('new');
    const pending = { keyId: made.id, secret: made.secret, createdAt };
    await change((profile) => ({ ...profile, pending }));
    const ended = await runCli(['api-keys', 'rotate', ...options], { env, ...typed });
    expect(ended.code).toBe(0);
    if ('stdin' in typed)
      expect(ended.stderr).toContain(`Try it at ${peer.origin}, and replace ${old.id} with it?`);
    expect(await stored()).toMatchObject({ keyId: made.id, secret: made.secret });
    expect(await keyIds()).not.toContain(old.id);
  });

  it.each([
    ['nobody to ask', 2, {}, 'pass --yes; --restart creates another'],
    ['no on a terminal', 130, { isTTY: terminal, stdin: 'n\r' }, 'the unfinished rotation was not changed'],
  ])('a new key stays where it is: %s', async (_what, code, typed, hint) => {
    const { env, change, stored, calls } = await place();
    const pending = { keyId: 'key_b', secret: 'b'.repeat(64), createdAt };
    await change((profile) => ({ ...profile, pending }));
    const before = await stored();
    const ended = await runCli(['api-keys', 'rotate'], { env, ...typed });
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(hint)]);
    expect(calls()).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  it('a new key gives way to another with --restart, and its secret is kept', async () => {
    const { directory, change, rotate, stored } = await place();
    const pending = { keyId: 'key_b', secret: 'b'.repeat(64), createdAt };
    await change((profile) => ({ ...profile, pending }));
    const ended = await rotate('--restart');
    expect([ended.code, ended.stderr]).toEqual([
      0,
      expect.stringContaining('was written by an older orgctl'),
    ]);
    expect(recovered(directory)).toEqual([{ id: 'key_b', secret: pending.secret }]);
    expect((await stored()).keyId).not.toBe('key_b');
  });

  it.each([
    ['--yes', ['--yes'], {}, true],
    ['yes on a terminal', [], { isTTY: terminal, stdin: 'y\r' }, true],
    ['--keep-old', ['--keep-old'], {}, false],
  ])('an old key: %s', async (_what, options, typed, isDeleted) => {
    const { env, change, stored, peer } = await place();
    const { id } = await newKey('replaced');
    await change((profile) => ({ ...profile, retiring: id }));
    const { keyId } = await stored();
    const ended = await runCli(['api-keys', 'rotate', ...options], { env, ...typed });
    expect(ended.code).toBe(0);
    if ('stdin' in typed) expect(ended.stderr).toContain(`Delete it at ${peer.origin}?`);
    expect([(await keyIds()).includes(id), (await stored()).keyId]).toEqual([!isDeleted, keyId]);
    expect(await stored()).not.toHaveProperty('retiring');
  });

  it('an old key stays where there is nobody to ask', async () => {
    const { change, rotate, stored, calls } = await place();
    const { id } = await newKey('replaced');
    await change((profile) => ({ ...profile, retiring: id }));
    const ended = await rotate('-o', 'json');
    expect(errorOf(ended)).toMatchObject({
      exitCode: 2,
      hint: 'without a terminal to ask on, pass --yes; --keep-old leaves it valid',
    });
    expect([calls(), (await stored()).retiring]).toEqual([[], id]);
  });
});

describe('while a rotation is unfinished', () => {
  it.each(['GET /quotas', 'DELETE'] as const)('at %s, address, key and secret stay', async (call) => {
    const { env, stored } = await interrupted(call);
    const before = await stored();
    for (const change of [
      ['--base-url', service.server.url, '--allow-host'],
      ['--base-url', `${before.baseUrl}/v1`],
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
    let begun = false;
    const { env, rotate, stored } = await place({
      before: async (call) => {
        if (call === 'GET /quotas' && !begun) {
          begun = true;
          expect((await rotate('--keep-old')).code).toBe(0);
        }
        return undefined;
      },
    });
    const { secret } = await stored();
    const ended = await runCli(['profile', 'set', 'prod', '--secret-env', 'S'], {
      env: { ...env, S: secret },
    });
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining('changed by another process')]);
    expect((await runCli(['quotas', '-p', 'prod'], { env })).code).toBe(0);
  });

  it('the profile can be removed, and the secret of the new key is kept', async () => {
    const { env, directory, stored } = await interrupted('GET /quotas');
    const { pending } = await stored();
    const ended = await runCli(['profile', 'remove', 'prod', '--yes', '--quiet'], { env });
    const [file] = recovered(directory);
    expect(file).toEqual({ id: pending?.keyId, secret: pending?.secret });
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining(`recovered-${file?.id}.json`)]);
    expect(ended.stderr).not.toContain(file?.secret);
  });

  it('the profile can be removed, and the old key is named', async () => {
    const { env, old } = await interrupted('DELETE');
    const { stderr } = await runCli(['profile', 'remove', 'prod', '--yes'], { env });
    expect(stderr).toContain(`"${old.id}", which an unfinished rotation replaced, may still be valid`);
  });

  it('a profile removed during the proof costs no secret', async () => {
    const left = await place({
      before: async (call) => {
        if (call === 'GET /quotas') await left.store.remove('prod');
        return undefined;
      },
    });
    const ended = await left.rotate();
    expect(ended.code).toBe(3);
    const [{ id, secret } = { id: '', secret: '' }] = recovered(left.directory);
    const env = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
    expect((await runCli(['quotas'], { env })).code).toBe(0);
  });

  it('serve leaves the profile of an earlier server alone', async () => {
    const { env, change, stored } = await interrupted('GET /quotas');
    await change((profile) => ({ ...profile, managedBy: 'serve' }));
    const before = await stored();
    const args = ['serve', '--ephemeral', '--http', '--port', '0', '--save-profile', 'prod', '--', 'true'];
    const ended = await runCli(args, { env });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('has an unfinished rotation')]);
    expect(await stored()).toEqual(before);
  });
});
