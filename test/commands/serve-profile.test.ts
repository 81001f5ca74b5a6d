import { describe, expect, it, onTestFinished } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { startServer } from '../../src/server/index.js';
import { emptyEnvironment, runCli } from '../support/run-cli.js';
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
    const elsewhere = await startServe([], env);
    expect((await store.get('local')).baseUrl).toBe(elsewhere.ready.url);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    await elsewhere.stop();
  });

  it('is overwritten at the next start, for example after a reset removed its key', async () => {
    const { env, store } = place();
    const run = async (line: string) => (await runCli(line.split(' '), { env })).code;
    const first = await startServe([], env);
    expect(await run('profile set local --timeout 5s')).toBe(0);
    expect(await run('api-keys rotate --yes')).toBe(0);
    expect(await run('local reset --yes')).toBe(0);
    expect(await run('quotas')).toBe(4);
    await first.stop();
    const { stop, ready } = await startServe([], env);
    expect(await run('quotas')).toBe(0);
    const { url: baseUrl, keyId, secret, caFile, data } = ready;
    expect(await store.get('local')).toEqual({ baseUrl, keyId, secret, caFile, data, managedBy: 'serve' });
    await stop();
  });

  it('is left alone if its server runs', async () => {
    const { env, store } = place();
    const other = await startServer({ http: true });
    onTestFinished(() => other.close());
    const { url: baseUrl, keyId, secret } = other;
    const managed = { baseUrl, keyId, secret, managedBy: 'serve' };
    await store.add('local', managed);
    const first = await startServe([], env);
    const { stderr } = await first.stop();
    expect(stderr).toContain(`already points to a running server (${baseUrl}) and was not changed`);
    expect(await store.get('local')).toEqual(managed);
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
    expect((await store.read()).profiles).toEqual({});
    await store.add('prod', { baseUrl: 'https://prod.example', keyId: 'key_p', secret: 'x' });
    await (await startServe([], env)).stop();
    expect((await store.read()).current).toBe('prod');
    expect(Object.keys((await store.read()).profiles)).toEqual(['prod', 'local']);
  });
});
