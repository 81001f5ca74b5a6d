import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, startCli } from '../../support/run-cli.js';
import { useService } from '../../support/service.js';

const service = useService();

/** A proxy with a console, and the environment that finds it. */
async function startIn(env: ReturnType<typeof service.environment>) {
  const { system, ended } = startCli(['proxy', '--port', '0', '--console-port', '0', '-o', 'json'], { env });
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

it('local logs --proxy finds a proxy by a file of this user, which ends with it', async () => {
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

describe("a proxy's console", () => {
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

it('a signal is for the command of a proxy, whose exit code counts', async () => {
  const script = `
  process.on('SIGTERM', async () => {
    const { status } = await fetch(process.env.ORGCTL_BASE_URL + '/quotas');
    console.log(status);
    process.exit(5);
  });
  console.log('ready');
  setInterval(() => undefined, 1000);`;
  const { system, ended } = startCli(['proxy', '--', process.execPath, '-e', script], {
    env: service.environment(),
  });
  await expect.poll(() => system.stdoutText()).toContain('ready');
  system.raise('SIGTERM');
  expect(await ended).toMatchObject({ code: 5, stdout: 'ready\n401\n' });
});
