import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, startCli, withProfileFile } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ http: false });
const node = process.execPath;

/** Starts the proxy with its ready line as JSON; it ends with the test. */
async function startProxy(flags: readonly string[] = [], env = service.environment()) {
  const args = ['proxy', '--port', '0', '--no-console', '-o', 'json', ...flags];
  const { system, ended } = startCli(args, { env });
  onTestFinished(async () => {
    system.raise('SIGTERM');
    await ended;
  });
  await expect.poll(() => system.stdoutText()).toContain('\n');
  const ready: { url: string; upstream: string; token?: string } = JSON.parse(system.stdoutText());
  return { ready, system, ended };
}

/** Runs a script of Node.js behind the proxy. */
function runBehind(script: string, flags: readonly string[] = [], env = service.environment()) {
  return runCli(['proxy', ...flags, '--', node, '-e', script], { env });
}

describe('proxy', () => {
  it('says in one line where it is, passes signed requests, and ends on a signal with its code', async () => {
    const { ready, system, ended } = await startProxy();
    expect(ready).toEqual({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      upstream: service.server.url,
    });
    const env = service.environment({ ORGCTL_BASE_URL: ready.url, ORGCTL_CA_FILE: undefined });
    expect(await runCli(['quotas'], { env })).toMatchObject({ code: 0 });
    expect(await runCli(['teams', 'create', '--name', 'Passed'], { env })).toMatchObject({ code: 0 });
    system.raise('SIGTERM');
    const { code, stderr } = await ended;
    const entries = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, statuses: entries.map(({ status }) => status) }).toEqual({
      code: 143,
      statuses: [200, 201],
    });
    expect((await runCli(['quotas', '--retries', '0'], { env })).code).toBe(9);
  });

  it('prints one line for people', async () => {
    const { system, ended } = startCli(['proxy', '--port', '0', '--no-console'], {
      env: service.environment(),
    });
    await expect.poll(() => system.stderrText()).toContain('Ctrl-C');
    system.raise('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    const [line] = stderr.split('\n');
    expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+ → https:\/\/127\.0\.0\.1:\d+$/);
  });

  it('needs no credential, and no secret signs', async () => {
    const env = service.environment({ ORGCTL_KEY_ID: undefined, ORGCTL_SECRET: undefined });
    const { ready } = await startProxy([], env);
    expect((await fetch(`${ready.url}/quotas`)).status).toBe(401);
  });

  it('--sign signs for its token, and --read-only passes no change', async () => {
    const { ready } = await startProxy(['--sign', '--read-only']);
    const headers = { 'X-Orgctl-Proxy-Token': String(ready.token) };
    expect((await fetch(`${ready.url}/quotas`, { headers })).status).toBe(200);
    expect((await fetch(`${ready.url}/quotas`)).status).toBe(401);
    const refused = await fetch(`${ready.url}/teams`, { method: 'POST', headers, body: '{"name":"x"}' });
    expect(await refused.json()).toEqual({
      statusCode: 403,
      message: 'orgctl proxy: this proxy is read-only and does not forward POST',
    });
  });

  it('passes no change with a read-only profile', async () => {
    const { url: baseUrl, keyId, secret, caFile } = service.server;
    const reader = { baseUrl, keyId, secret, caFile, readOnly: true };
    const profiles = { version: 1, current: 'reader', profiles: { reader } };
    const { ready } = await startProxy([], withProfileFile(profiles));
    const { status } = await fetch(`${ready.url}/teams`, { method: 'POST', body: '{"name":"x"}' });
    expect(status).toBe(403);
  });

  it('says so when the command sent nothing', async () => {
    const { code, stderr } = await runBehind('process.exitCode = 3');
    expect([code, stderr]).toEqual([
      3,
      'the command sent nothing through the proxy: its client must use ORGCTL_BASE_URL. orgctl itself uses it with ORGCTL_PROFILE and --allow-host, but not with -p\n',
    ]);
  });

  it('runs a command against it, without secrets of the server, and ends with its code', async () => {
    const script = `
      fetch(process.env.ORGCTL_BASE_URL + '/quotas').then(async (response) => {
        const own = Object.keys(process.env).filter((name) => name.startsWith('ORGCTL_')).sort();
        console.log(JSON.stringify({ status: response.status, via: response.headers.get('via'), own }));
        process.exitCode = 7;
      });`;
    const env = service.environment({ ORGCTL_SERVE_MASTER_KEY: 'x', ORGCTL_CONTROL_TOKEN: 'x' });
    const { code, stdout } = await runBehind(script, [], env);
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toEqual({
      status: 401,
      via: '1.1 orgctl',
      own: ['ORGCTL_BASE_URL', 'ORGCTL_CA_FILE', 'ORGCTL_CONFIG_DIR', 'ORGCTL_KEY_ID', 'ORGCTL_SECRET'],
    });
  });

  it('a signal is for the command, whose exit code counts', async () => {
    const script = `
      process.on('SIGTERM', async () => {
        const { status } = await fetch(process.env.ORGCTL_BASE_URL + '/quotas');
        console.log(status);
        process.exit(5);
      });
      console.log('ready');
      setInterval(() => undefined, 1000);`;
    const { system, ended } = startCli(['proxy', '--', node, '-e', script], { env: service.environment() });
    await expect.poll(() => system.stdoutText()).toContain('ready');
    system.raise('SIGTERM');
    expect(await ended).toMatchObject({ code: 5, stdout: 'ready\n401\n' });
  });

  it('names a port that is in use', async () => {
    const { ready } = await startProxy();
    const { port } = new URL(ready.url);
    const second = await runCli(['proxy', '--port', port], { env: service.environment() });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`port ${port} on 127.0.0.1 is in use`);
    expect(second.stderr).toContain('another port, or 0');
  });

  it('says on stderr what passed, why the service refused, and which fault applied', async () => {
    const { keyId } = service.server;
    const script = `
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers = { 'x-api-key': '${keyId}', 'x-api-timestamp': timestamp, 'x-api-signature': 'AB'.repeat(32) };
      const ask = (path) => fetch(process.env.ORGCTL_BASE_URL + path, path === '/quotas' ? { headers } : {});
      ask('/quotas').then(() => ask('/x')).then(() => ask('/fault')).then(({ status }) => console.log(status));`;
    const run = (...flags: string[]) => runBehind(script, ['--fault', '* /fault=503', ...flags]);
    const [plain, verbose, quiet] = [await run(), await run('-v'), await run('-q')];
    for (const { code, stdout, stderr } of [plain, verbose]) {
      expect([code, stdout]).toEqual([0, '503\n']);
      expect(stderr).toMatch(
        new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}401 {2}GET /quotas {3}${keyId}\\n +✗ `, 'm'),
      );
      expect(stderr).toMatch(/401 {2}GET \/x\n +✗ the request has no credential$/m);
      expect(stderr).toContain('a fault rule applied: * /fault=503');
    }
    const expected = '  expected: GET\\n/quotas';
    expect([plain, verbose].map(({ stderr }) => stderr.includes(expected))).toEqual([false, true]);
    expect(quiet.stderr).toBe('');
  });

  it('checks with the secret of whichever profile has the key', async () => {
    const { url: baseUrl, keyId, secret } = service.server;
    const stored = withProfileFile({ version: 1, profiles: { other: { baseUrl, keyId, secret } } });
    const other = { ORGCTL_KEY_ID: 'key_another', ORGCTL_SECRET: 'x'.repeat(64) };
    const env = service.environment({ ...other, ORGCTL_CONFIG_DIR: stored['ORGCTL_CONFIG_DIR'] });
    const authorization = `Basic ${Buffer.from(`${keyId}:wrong`).toString('base64')}`;
    const script = `fetch(process.env.ORGCTL_BASE_URL + '/x', { headers: { authorization: '${authorization}' } })`;
    const { stderr } = await runBehind(script, [], env);
    expect(stderr).toContain('✗ the secret has 5 characters');
  });
});
