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
  it('passes no change with a read-only profile', async () => {
    const { url: baseUrl, keyId, secret, caFile } = service.server;
    const reader = { baseUrl, keyId, secret, caFile, readOnly: true };
    const profiles = { version: 1, current: 'reader', profiles: { reader } };
    const { ready } = await startProxy([], withProfileFile(profiles));
    const { status } = await fetch(`${ready.url}/teams`, { method: 'POST', body: '{"name":"x"}' });
    expect(status).toBe(403);
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
});
