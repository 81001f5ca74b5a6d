import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProfile } from '../../src/profiles/file/profile-file.js';
import { profileStore } from '../../src/profiles/file/store.js';
import { startServer } from '../../src/server/index.js';
import { keepServerProfile } from '../../src/verbs/serve/server-profile.js';
import { memorySystem } from '../support/memory-system.js';
import { emptyEnvironment, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { startServe } from './support/serve.js';

function place() {
  const env = emptyEnvironment();
  const store = profileStore({ env, platform: process.platform, homedir: '/' });
  const run = async (line: string, stdin?: string) => {
    const ended = await runCli(line.split(' '), { env, ...(stdin !== undefined && { stdin }) });
    expect(ended, line).toMatchObject({ code: 0 });
    return ended;
  };
  const issue = async (name: string): Promise<{ id: string; secret: string }> =>
    JSON.parse((await run(`api-keys create --name ${name} -o json`)).stdout);
  const recovered = (keyId: string) => join(String(env['ORGCTL_CONFIG_DIR']), `recovered-${keyId}.json`);
  return { env, store, run, issue, recovered };
}

describe('the profile that serve maintains', () => {
  it('keeps a rotated key at the next start, and the next rotation deletes no other', async () => {
    const { env, store, run, issue } = place();
    const first = await startServe([], env);
    const ci = await issue('ci');
    await run('api-keys rotate --yes');
    const { keyId, secret } = await store.get('local');
    expect((await first.stop()).stderr).toBe('');
    const second = await startServe([], env);
    expect(await store.get('local')).toMatchObject({ keyId, secret, baseUrl: second.ready.url });
    const { stdout } = await run('api-keys rotate --yes -o json');
    expect(JSON.parse(stdout)).toMatchObject({ replaced: keyId, oldKeyDeleted: true });
    await run(`api-keys get ${ci.id}`);
    expect((await second.stop()).stderr).toBe('');
  });

  it('keeps what profile set stored, and stays maintained after a key that worked', async () => {
    const { env, store, run, issue } = place();
    const first = await startServe([], env);
    const mine = await issue('mine');
    const settings = '--read-only --timeout 7s --default-output json --dialect reference';
    const set = await run(`profile set local --key-id ${mine.id} --secret-stdin ${settings}`, mine.secret);
    expect(set.stderr).toBe('');
    await first.stop();
    const second = await startServe(['--http'], env);
    expect(await store.get('local')).toEqual({
      baseUrl: second.ready.url,
      keyId: mine.id,
      secret: mine.secret,
      readOnly: true,
      timeout: '7s',
      output: 'json',
      dialect: 'reference',
      managedBy: 'serve',
      data: second.ready.data,
      served: { keyId: first.ready.keyId },
    });
    expect(await runCli(['teams', 'create', '--name', 'x'], { env })).toMatchObject({ code: 3 });
    await second.stop();
  });

  it('gets a key of its own from data without its key, after the former one was saved', async () => {
    const { env, store, run, issue, recovered } = place();
    const data = ['--data', temporaryDirectory()];
    const first = await startServe(data, env);
    const ci = await issue('ci');
    await run('api-keys rotate --yes');
    const { keyId, secret } = await store.get('local');
    await first.stop();
    const other = await startServe([], env);
    expect((await other.stop()).stderr).toContain(recovered(keyId));
    expect(await store.get('local')).toMatchObject({ keyId: other.ready.keyId, secret: other.ready.secret });
    expect(JSON.parse(readFileSync(recovered(keyId), 'utf8'))).toMatchObject({ id: keyId, secret });
    expect(statSync(recovered(keyId)).mode & 0o777).toBe(0o600);
    const again = await startServe(data, env);
    expect([ci.id, keyId, other.ready.keyId]).not.toContain((await store.get('local')).keyId);
    await run('quotas');
    // What serve chose itself is not worth a file or a word.
    expect((await again.stop()).stderr).toBe('');
    const { keyId: own } = await store.get('local');
    await (await startServe([], env)).stop();
    await (await startServe(data, env)).stop();
    expect((await store.get('local')).keyId).toBe(own);
  });

  it('is not updated where no key can be issued for it', async () => {
    const { env, store, run, issue } = place();
    const data = ['--data', temporaryDirectory()];
    const first = await startServe([...data, '--quota', 'api-keys=2'], env);
    await run('api-keys rotate --yes');
    await issue('other');
    await first.stop();
    await (await startServe([], env)).stop();
    const before = await store.get('local');
    const again = await startServe(data, env);
    expect((await again.stop()).stderr).toMatch(/cannot be updated \(.*quota.* was not changed/);
    expect(await store.get('local')).toEqual(before);
  });

  it('keeps a disabled key that the user chose, and replaces a disabled one of serve', async () => {
    const { env, store, run, issue } = place();
    const first = await startServe([], env);
    const mine = await issue('mine');
    await run(`local keys disable ${first.ready.keyId}`);
    await first.stop();
    const second = await startServe([], env);
    const { keyId } = await store.get('local');
    expect([mine.id, first.ready.keyId]).not.toContain(keyId);
    await run(`profile set local --key-id ${mine.id} --secret-stdin`, mine.secret);
    await run(`local keys disable ${mine.id}`);
    await second.stop();
    const third = await startServe([], env);
    expect(await store.get('local')).toMatchObject({ keyId: mine.id, secret: mine.secret });
    expect((await third.stop()).stderr).toContain(`${mine.id}, which is disabled on this server`);
  });

  it.each([
    ['address', 'profile set local --base-url https://api.example.com --allow-host --no-verify', undefined],
    ['key', 'profile set local --key-id key_prod --secret-stdin --no-verify', 'p'.repeat(64)],
    ['secret', 'profile set local --secret-stdin --no-verify', 'p'.repeat(64)],
  ])('becomes the own one of a user who stores another %s', async (_what, line, stdin) => {
    const { env, store, run } = place();
    await (await startServe([], env)).stop();
    expect((await run(line, stdin)).stderr).toContain('profile "local" is your own now');
    const own = await store.get('local');
    expect(own).not.toMatchObject({ managedBy: 'serve' });
    const { stop } = await startServe([], env);
    await run('local reset --yes');
    expect((await stop()).stderr).toContain('was not changed');
    const named = await runCli(['serve', '--ephemeral', '--port', '0', '--save-profile', 'local'], { env });
    expect(named).toMatchObject({ code: 2 });
    expect(await store.get('local')).toEqual(own);
  });

  it('becomes the own one of a user who stores a key that could not be tried', async () => {
    const { env, store } = place();
    await (await startServe([], env)).stop();
    const { system, ended } = startCli(['profile', 'set', 'local', '--ask-secret'], { env, isTTY: true });
    await expect.poll(() => system.stderrText()).toContain('API key secret');
    system.type(`${'p'.repeat(64)}\r`);
    await expect.poll(() => system.stderrText()).toContain('Store it anyway?');
    system.type('y\r');
    expect(await ended).toMatchObject({ code: 0, stderr: expect.stringContaining('is your own now') });
    expect(await store.get('local')).not.toHaveProperty('managedBy');
  });

  it('keeps a command for the secret, or saves it where the key is gone', async () => {
    const { env, store, run, issue, recovered } = place();
    const first = await startServe([], env);
    const mine = await issue('mine');
    await store.update('local', ({ secret: _secret, ...rest }) => {
      return { ...rest, keyId: mine.id, secretCommand: ['pass', 'mine'] };
    });
    await first.stop();
    const second = await startServe([], env);
    expect(await store.get('local')).toMatchObject({
      baseUrl: second.ready.url,
      keyId: mine.id,
      secretCommand: ['pass', 'mine'],
    });
    await run('local reset --yes');
    const reset = await store.get('local');
    expect(reset).toMatchObject({ keyId: first.ready.keyId, secret: first.ready.secret });
    expect(reset).not.toHaveProperty('secretCommand');
    expect((await second.stop()).stderr).toContain(recovered(mine.id));
    const saved = JSON.parse(readFileSync(recovered(mine.id), 'utf8'));
    expect(saved).toMatchObject({ id: mine.id, secretCommand: ['pass', 'mine'] });
  });

  it('is left alone during a rotation, and a key ID of any text is noted harmlessly', async () => {
    const { env, store, run } = place();
    const first = await startServe([], env);
    await run('api-keys rotate --yes');
    await first.stop();
    const { keyId } = await store.get('local');
    const long = `${keyId}${'x'.repeat(300)}\u001b[31m`;
    const pending = { keyId: 'key_new', secret: 'n'.repeat(64), createdAt: new Date().toISOString() };
    await store.update('local', (profile) => ({ ...profile, pending }));
    const held = await store.get('local');
    expect((await (await startServe([], env)).stop()).stderr).toContain('has an unfinished rotation');
    expect(await store.get('local')).toEqual(held);
    await store.update('local', ({ pending: _pending, ...profile }) => ({ ...profile, keyId: long }));
    const { stderr } = await (await startServe([], env)).stop();
    expect(stderr).toContain('the former secret is in');
    expect(stderr).not.toContain('\u001b');
  });

  it('keeps the CA that the user gave a server without its own', async () => {
    const { env, store } = place();
    await (await startServe(['--http'], env)).stop();
    await store.update('local', (profile) => ({ ...profile, caFile: '/corp.pem' }));
    await (await startServe(['--http'], env)).stop();
    expect(await store.get('local')).toMatchObject({ caFile: '/corp.pem' });
    const { ready, stop } = await startServe([], env);
    await stop();
    expect(await store.get('local')).toMatchObject({ caFile: ready.caFile });
    await (await startServe(['--http'], env)).stop();
    expect(await store.get('local')).not.toHaveProperty('caFile');
  });

  it('stays when a server in memory stops, if it has settings of the user', async () => {
    const { env, store, run } = place();
    const args = ['--ephemeral', '--save-profile', 'try'];
    const first = await startServe(args, env);
    await run('profile set try --read-only');
    expect((await first.stop()).stderr).toContain('has settings of your own and was not removed');
    const second = await startServe(args, env);
    expect(await store.get('try')).toMatchObject({ readOnly: true, keyId: second.ready.keyId });
    await run('profile remove try --yes');
    await second.stop();
    const third = await startServe(args, env);
    await run('api-keys rotate --yes -p try');
    await third.stop();
    expect(await store.list()).toEqual([]);
  });

  it('keeps its key under another name, and the next start makes another local', async () => {
    const { env, store, run } = place();
    const first = await startServe([], env);
    await run('api-keys rotate --yes');
    await run('profile rename local mine');
    const mine = await store.get('mine');
    await first.stop();
    const second = await startServe([], env);
    expect(await store.get('mine')).toEqual(mine);
    expect((await store.get('local')).keyId).not.toBe(mine.keyId);
    await run('quotas -p local');
    await second.stop();
  });

  it('keeps what is stored while a server starts', async () => {
    const { env, store } = place();
    await (await startServe([], env)).stop();
    const context = { system: memorySystem(), profiles: () => store, note: async () => undefined };
    const server = await startServer({ http: true });
    const find: typeof server.profileKeys.find = async (id) => {
      await store.update('local', (profile) => ({ ...profile, timeout: '7s' }));
      return server.profileKeys.find(id);
    };
    await keepServerProfile('local', { ...server, profileKeys: { ...server.profileKeys, find } }, context);
    await server.close();
    expect(await store.get('local')).toMatchObject({ timeout: '7s', baseUrl: server.url });
  });

  it('goes to one of two servers that start at once', async () => {
    const { store } = place();
    const notes: string[] = [];
    const note = async (text: unknown) => void notes.push(String(text));
    const context = { system: memorySystem(), profiles: () => store, note };
    const servers = await Promise.all([startServer({ http: true }), startServer({ http: true })]);
    try {
      await Promise.all(servers.map((server) => keepServerProfile('local', server, context)));
      expect(notes).toHaveLength(1);
      const local = findProfile(await store.read(), 'local');
      const taken = servers.find(({ url }) => url === local?.baseUrl);
      expect(local).toMatchObject({ keyId: taken?.keyId, secret: taken?.secret });
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  });
});
