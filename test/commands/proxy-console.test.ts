import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { controlCalls } from '../../src/api/control/calls.js';
import { unusedPort } from '../support/hostile-peer.js';
import { runCli, startCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService();

/** A proxy with a console, and the environment that finds it. */
async function startIn(env: ReturnType<typeof service.environment>, ...flags: string[]) {
  const ports = ['--port', '--console-port'].flatMap((flag) => (flags.includes(flag) ? [] : [flag, '0']));
  const { system, ended } = startCli(['proxy', ...ports, '-o', 'json', ...flags], { env });
  onTestFinished(async () => {
    system.raise('SIGTERM');
    await ended;
  });
  await expect.poll(() => system.stdoutText()).toContain('\n');
  const ready: { url: string; console: string } = JSON.parse(system.stdoutText());
  const directory = join(env['XDG_DATA_HOME'] ?? '', 'orgctl', 'serve', 'proxies');
  const origin = new URL(ready.console).origin;
  const own = { origin, 'sec-fetch-site': 'same-origin' };
  return { ready, env, directory, origin, own, system, ended };
}

type Watched = Awaited<ReturnType<typeof startIn>>;

/** As the page does with the link's token. */
async function openSession({ ready, origin, own }: Watched): Promise<Record<string, string>> {
  const token = new URL(ready.console).hash.slice('#t='.length);
  const headers = { ...own, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token }),
  });
  const { bearer } = JSON.parse(await answer.text());
  return { ...own, authorization: `Bearer ${bearer}` };
}

async function local({ env }: Watched, ...args: string[]) {
  const { ORGCTL_CONTROL_URL: _url, ORGCTL_CONTROL_TOKEN: _token, ...own } = env;
  return runCli(['local', ...args], { env: own });
}

/** One call that is right, and one with a wrong secret, which has a body with a password. */
async function callTwice({ ready, env }: Watched): Promise<void> {
  const own = { ...env, ORGCTL_BASE_URL: ready.url, ORGCTL_CA_FILE: undefined };
  expect((await runCli(['quotas'], { env: own })).code).toBe(0);
  const wrong = { ...own, ORGCTL_SECRET: 'wrong-secret-'.repeat(4) };
  const body = '{"name":"a","type":"x","config":{"password":"hunter2-hunter2"}}';
  const args = ['request', 'POST', '/connections', '--data', body];
  expect((await runCli(args, { env: wrong })).code).toBe(4);
}

describe('local logs --proxy', () => {
  it('shows the exchanges, why each was refused, and no secret', async () => {
    const proxy = await startIn(service.environment());
    await callTwice(proxy);
    await expect
      .poll(async () => (await local(proxy, 'logs', '--proxy', '--refused', '-o', 'json')).stdout)
      .toContain('signature');
    const { stdout } = await local(proxy, 'logs', '--proxy', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject([
      { method: 'GET', target: '/quotas', status: 200, keyId: service.server.keyId },
      { method: 'POST', status: 401, refusal: { check: 'signature', canonical: expect.any(String) } },
    ]);
    for (const secret of ['hunter2-hunter2', service.server.secret]) expect(stdout).not.toContain(secret);
    const port = new URL(proxy.ready.url).port;
    expect((await local(proxy, 'logs', '--proxy', port, '--limit', '1')).stdout).toContain('401');
    expect(await local(proxy, 'logs', '--proxy', '1')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`running: ${port} (${service.server.url})`),
    });
    expect((await local(proxy, 'status', '--proxy')).stdout).toMatch(
      new RegExp(`^SERVICE +${service.server.url}$`, 'm'),
    );
    expect((await local(proxy, 'console', '--proxy')).stdout).toContain(proxy.origin);
  });

  it('of two proxies reads the one that is named, and neither unnamed', async () => {
    const one = await startIn(service.environment(), '--fault', 'GET /one=503');
    const port = String(await unusedPort());
    const two = await startIn(one.env, '--port', port);
    const first = new URL(one.ready.url).port;
    await fetch(`${one.ready.url}/one`);
    await fetch(`${two.ready.url}/two`);
    await fetch(`${two.ready.url}/two`);
    const targets = async (at: string) => {
      const { stdout } = await local(one, 'logs', '--proxy', at, '-o', 'json');
      return JSON.parse(stdout || '[]').map(({ target }: { target: string }) => target);
    };
    await expect.poll(() => targets(first)).toEqual(['/one']);
    await expect.poll(() => targets(port)).toEqual(['/two', '/two']);
    const faults = async (at: string) =>
      JSON.parse((await local(one, 'status', '--proxy', at, '-o', 'json')).stdout).faults;
    expect(await faults(first)).toMatchObject([{ rule: 'GET /one=503', hits: 1 }]);
    expect(await faults(port)).toEqual([]);
    expect((await local(one, 'console', '--proxy', port)).stdout).toContain(two.origin);
    expect(await local(one, 'logs', '--proxy')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('more than one proxy is running on this machine'),
    });
    // URLs leave out the default port, which only root may take.
    const file = readFileSync(join(one.directory, `${port}.json`), 'utf8');
    const byDefault = file.replace(two.ready.url, 'http://127.0.0.1:80');
    writeFileSync(join(one.directory, '80.json'), byDefault, { mode: 0o600 });
    expect(await targets('80')).toEqual(['/two', '/two']);
    rmSync(join(one.directory, '80.json'));
    two.system.raise('SIGTERM');
    await two.ended;
    expect((await local(one, 'logs', '--proxy', port)).code).toBe(3);
    expect(await targets(first)).toEqual(['/one']);
  });

  it('passes over a damaged file, and that of a killed proxy', async () => {
    const proxy = await startIn(service.environment());
    const [name = ''] = readdirSync(proxy.directory);
    const file: object = JSON.parse(readFileSync(join(proxy.directory, name), 'utf8'));
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(join(proxy.directory, '1.json'), JSON.stringify({ ...file, pid }), { mode: 0o600 });
    writeFileSync(join(proxy.directory, '2.json'), 'mine', { mode: 0o600 });
    const damaged = JSON.stringify({ ...file, url: 'none', control: 'none' });
    writeFileSync(join(proxy.directory, '3.json'), damaged, { mode: 0o600 });
    expect(await local(proxy, 'logs', '--proxy')).toMatchObject({ code: 0 });
  });

  it('finds a proxy by a file of this user, which ends with it', async () => {
    const proxy = await startIn(service.environment());
    const [name = ''] = readdirSync(proxy.directory);
    expect(name).toBe(`${new URL(proxy.ready.url).port}.json`);
    expect(statSync(join(proxy.directory, name)).mode & 0o777).toBe(0o600);
    proxy.system.raise('SIGTERM');
    await proxy.ended;
    expect(readdirSync(proxy.directory)).toEqual([]);
    expect(await local(proxy, 'logs', '--proxy')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no proxy with a console is running'),
    });
  });

  it('leaves nothing without a console', async () => {
    const env = service.environment();
    const args = ['proxy', '--no-console', '--', process.execPath, '-e', ''];
    expect((await runCli(args, { env })).code).toBe(0);
    expect(existsSync(join(env['XDG_DATA_HOME'] ?? '', 'orgctl', 'serve', 'proxies'))).toBe(false);
    const both = await runCli(['proxy', '--no-console', '--console-port', '0'], { env });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be used with') });
  });
});

describe("a proxy's console", () => {
  it('lets a browser in once, which reads the journal and one entry', async () => {
    const proxy = await startIn(service.environment());
    await callTwice(proxy);
    const headers = await openSession(proxy);
    const get = async (path: string) => {
      const answer = await fetch(`${proxy.origin}/_control${path}`, { headers });
      return JSON.parse(await answer.text());
    };
    await expect.poll(async () => (await get('/journal')).entries).toHaveLength(2);
    expect(await get('/status')).toMatchObject({ upstream: service.server.url, requests: { refused: 1 } });
    const entry = await get('/journal/2');
    expect(entry).toMatchObject({
      refusal: { check: 'signature' },
      response: { body: { statusCode: 401 } },
      curl: expect.stringContaining(`${proxy.ready.url}/connections`),
    });
    expect(JSON.stringify(entry)).not.toContain('hunter2');
    expect((await openSession(proxy))['authorization']).toBe('Bearer undefined');
  });

  it('shows of a body that was too long to keep only the length', async () => {
    const text = JSON.stringify('x'.repeat(20_000));
    await service.server.control.stubs.set([{ request: 'GET /long', status: 200, body: text }]);
    const proxy = await startIn(service.environment());
    const headers = await openSession(proxy);
    const { keyId, secret } = service.server;
    const authorization = `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`;
    const { status } = await fetch(`${proxy.ready.url}/long`, { headers: { authorization } });
    expect(status).toBe(200);
    const read = async () => (await fetch(`${proxy.origin}/_control/journal/1`, { headers })).json();
    await expect.poll(read).toMatchObject({ response: { bodyBytes: text.length } });
    expect(await read()).not.toMatchObject({ response: { body: expect.anything() } });
  });

  it('refuses every call that would change something, and says why', async () => {
    const proxy = await startIn(service.environment());
    const headers = await openSession(proxy);
    const read = /^(?:status|journal\.(?:list|get)|faults\.get|clock\.get|console\.\w+)/;
    const others = Object.entries(controlCalls).filter(([name]) => !read.test(name));
    const paths = [...others.map(([, call]) => call), { method: 'GET', path: '/teams' }];
    for (const { method, path } of paths) {
      const url = `${proxy.origin}/_control${path.replace('{id}', 'key_1')}`;
      const json = { 'content-type': 'application/json' };
      const sent = /POST|PUT/.test(method) ? { headers: { ...headers, ...json }, body: '{}' } : { headers };
      const { status } = await fetch(url, { method, ...sent });
      expect([method, path, status]).toEqual([
        method,
        path,
        expect.toSatisfy((it) => [400, 501].includes(it)),
      ]);
    }
    const answer = await fetch(`${proxy.origin}/_control/organizations`, { headers });
    expect(JSON.parse(await answer.text()).message).toContain(`a proxy in front of ${service.server.url}`);
  });

  it('refuses whoever has neither the token of a program nor a session of its page', async () => {
    const proxy = await startIn(service.environment());
    const { own, origin, directory } = proxy;
    const [name = ''] = readdirSync(directory);
    const { token } = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    const program = { authorization: `Bearer ${token}` };
    const session = await openSession(proxy);
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${origin}/_control/journal`, { headers })).status;
    expect(await status(program)).toBe(200);
    expect(await status(session)).toBe(200);
    expect(await status(own)).toBe(401);
    expect(await status({ ...own, authorization: 'Bearer x' })).toBe(401);
    expect(await status({ authorization: session['authorization'] ?? '' })).toBe(403);
    expect(await status({ ...session, origin: 'http://evil.example' })).toBe(403);
    expect(await status({ ...session, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await status({ ...program, origin: 'http://evil.example' })).toBe(403);
    const { port } = new URL(origin);
    const rebound = await sendHost(Number(port), `evil.example:${port}`, program.authorization);
    expect(rebound).toBe(403);
  });
});

/** fetch does not send another Host. */
async function sendHost(port: number, host: string, authorization: string): Promise<number | undefined> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = { host, authorization };
    get({ host: '127.0.0.1', port, path: '/_control/journal', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });
}
