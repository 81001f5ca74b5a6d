import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { serverCertificate } from '../../src/server/certificate/certificate.js';
import { startServer } from '../../src/server/index.js';
import { keepServerProfile, profileToKeep } from '../../src/verbs/serve/server-profile.js';
import { memorySystem } from '../support/memory-system.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { startServe } from './support/serve.js';

function place() {
  const env = emptyEnvironment();
  return { env, store: profileStore({ env, platform: process.platform, homedir: '/' }) };
}

describe('the profile of a server', () => {
  it('keeps the profile local up to date, so that commands just work', async () => {
    const { env, store } = place();
    const { stop } = await startServe([], env);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    const told = await runCli(['local', 'status', '--query', 'profile', '--raw'], { env });
    expect(told.stdout).toBe('local\n');
    await stop();
    const { port } = new URL((await store.get('local')).baseUrl);
    const written = statSync(store.path()).ino;
    const again = await startServe(['--port', port], env);
    expect(statSync(store.path()).ino).toBe(written);
    await again.stop();
    const elsewhere = await startServe([], env);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    expect(statSync(store.path()).ino).not.toBe(written);
    await elsewhere.stop();
  });

  it.each([['reset'], ['restore']])(
    'has a key that exists after its own was replaced and local %s',
    async (verb) => {
      const { env, store } = place();
      const { stop, ready } = await startServe([], env);
      const run = async (line: string) => {
        const ended = await runCli(line.split(' '), { env });
        expect(ended, line).toMatchObject({ code: 0 });
        return ended.stdout.trim();
      };
      await run('profile set local --timeout 5s');
      const before = await run('local snapshot');
      await run('api-keys rotate --yes');
      const rotated = await store.get('local');
      const after = await run('local snapshot');
      await run(verb === 'reset' ? 'local reset --yes' : `local restore ${before} --yes`);
      await run('quotas');
      expect(await store.get('local')).toMatchObject({
        keyId: ready.keyId,
        secret: ready.secret,
        timeout: '5s',
      });
      await run(`local restore ${after} --yes`);
      await run('quotas');
      expect(await store.get('local')).toEqual(rotated);
      await run(`local restore ${after} --yes`);
      expect(await store.get('local')).toEqual(rotated);
      await stop();
    },
  );

  it('is left alone by a reset if somebody took it over', async () => {
    const { env, store } = place();
    const { stop } = await startServe([], env);
    const own = { keyId: 'key_other', secret: 'other' };
    for (const [line, change] of [
      ['local reset --yes', { ...own, managedBy: undefined }],
      ['local reset --yes', { ...own, managedBy: 'serve', baseUrl: 'https://127.0.0.1:1' }],
    ] as const) {
      await store.update('local', (profile) => ({ ...profile, ...change }));
      expect(await runCli(line.split(' '), { env })).toMatchObject({ code: 0 });
      expect(await store.get('local')).toMatchObject(own);
    }
    await stop();
  });

  it('leaves the profile local to a server that started at the same time, or that has a certificate of its own', async () => {
    const { store } = place();
    const notes: string[] = [];
    const context = {
      system: memorySystem(),
      profiles: () => store,
      note: async (text: string) => void notes.push(text),
    };
    const choice = { profile: true, lasts: true };
    const directory = temporaryDirectory();
    await serverCertificate(directory, { hosts: ['127.0.0.1'], now: new Date(), warn: () => undefined });
    const [cert, key] = ['server.pem', 'server-key.pem'].map((name) => readFileSync(join(directory, name)));
    const first = await startServer({ tls: { cert: String(cert), key: String(key) } });
    const second = await startServer({ http: true });
    try {
      // Both before either has one.
      const names = await Promise.all([profileToKeep(choice, context), profileToKeep(choice, context)]);
      expect(names).toEqual([{ name: 'local' }, { name: 'local' }]);
      expect(await keepServerProfile('local', first, context)).toBeTypeOf('function');
      expect(await keepServerProfile('local', second, context)).toBeUndefined();
      const { name, note: later } = await profileToKeep(choice, context);
      expect(name).toBeUndefined();
      expect(notes).toHaveLength(1);
      for (const note of [...notes, later])
        expect(note).toContain(`points to a running server (${first.url})`);
      expect(await store.get('local')).toMatchObject({ baseUrl: first.url });
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  });

  it('is left to the server of its address, also at the default port', async (skipping) => {
    const { store } = place();
    const busy = createServer().listen(80, '127.0.0.80');
    // Not everybody may listen there.
    if ((await once(busy, 'listening').catch(() => undefined)) === undefined) return skipping.skip();
    onTestFinished(() => void busy.close());
    const profile = { baseUrl: 'http://127.0.0.80', keyId: 'key_a', secret: 'a', managedBy: 'serve' };
    await store.add('local', profile);
    const choice = await profileToKeep({ profile: true, lasts: true }, { profiles: () => store });
    expect(choice).toEqual({ note: expect.stringContaining('already points to a running server') });
  });

  it('that --save-profile names is kept as long as a server in memory runs', async () => {
    const env = emptyEnvironment();
    const args = ['--ephemeral', '--save-profile', 'try'];
    const { stop } = await startServe(args, env);
    expect((await runCli(['quotas', '-p', 'try'], { env })).code).toBe(0);
    const second = await runCli(['serve', '--port', '0', ...args], { env });
    const stderr = expect.stringContaining('already points to a running server');
    expect(second).toMatchObject({ code: 2, stderr });
    await stop();
    expect((await runCli(['profile', 'list', '-o', 'json'], { env })).stdout).toBe('[]\n');
  });

  it('is not stored over one that was made by hand', async () => {
    const { env, store } = place();
    const mine = { baseUrl: 'https://mine.example', keyId: 'key_mine', secret: 'x' };
    await store.add('local', mine);
    const stderr = expect.stringContaining('is not managed by serve');
    expect(await (await startServe([], env)).stop()).toMatchObject({ code: 143, stderr });
    const named = ['serve', '--ephemeral', '--port', '0', '--save-profile', 'local'];
    expect(await runCli(named, { env })).toMatchObject({ code: 2, stderr });
    expect(await store.get('local')).toEqual(mine);
  });

  it('does not make local the current profile where there is one, nor any with --no-profile', async () => {
    const { env, store } = place();
    await (await startServe(['--no-profile'], env)).stop();
    await (await startServe(['--ephemeral'], env)).stop();
    expect(await store.list()).toEqual([]);
    await store.add('prod', { baseUrl: 'https://prod.example', keyId: 'key_p', secret: 'x' });
    await (await startServe([], env)).stop();
    expect((await store.read()).current).toBe('prod');
    expect((await store.list()).map(({ name }) => name)).toEqual(['prod', 'local']);
  });
});
