import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRunning } from '../../src/terminal/process/system.js';
import { isStandalone, orgctl } from '../support/built-tool.js';
import { runBuiltTool, runBundle, runProcess } from '../support/run-built-tool.js';
import { type Ended, emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

/** Runs the built tool as a process of its own. */
function built(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Ended> {
  return runBuiltTool(args, { input, env: { ...emptyEnvironment(), ...env } });
}

function collect(file: string, args: readonly string[]): Promise<Ended> {
  return runProcess(file, args, { env: emptyEnvironment() });
}

describe('the built tool', () => {
  it('does the main job: starts a service over HTTPS, in which signed requests read, create and fail', async () => {
    const create = 'connections create --name app --host db --database d --user u --password-stdin -o json';
    const script = `"$0" "$@" quotas; printf 'pa55\\n' | "$0" "$@" ${create}; "$0" "$@" teams get team_none -o json`;
    const { code, stdout, stderr } = await built(['serve', '-q', '--', 'sh', '-c', script, ...orgctl]);
    expect(code).toBe(6);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_found', exitCode: 6 } });
    const [quotas = '', connection = ''] = stdout.split(/^(?=\{)/m);
    expect(quotas.split('\n')[0]).toBe('KIND         LIMIT  USED  REMAINING  USAGE');
    expect(quotas).toContain('api-keys        20     1         19');
    for (const drawn of ['\u001b', '│', '─']) expect(quotas).not.toContain(drawn);
    expect(JSON.parse(connection)).toMatchObject({ config: { host: 'db', port: 5432, ssl: true } });
    expect(stdout).not.toContain('pa55');
  });
});

describe.skipIf(isStandalone)('the built libraries', () => {
  it('sign by their public names, and change nothing global: neither names, nor Reflect, nor how the zod of the host speaks', async () => {
    const script = `
      import { z } from 'zod';
      z.config(z.locales.de());
      // Node keeps what these need under names of its own, once one of them is asked for.
      void [fetch, Request, Response];
      const { message } = z.string().safeParse(1).error.issues[0];
      const globals = () => [globalThis, Reflect, process, Object.prototype, Array.prototype, Promise, Date]
        .flatMap((object) => Reflect.ownKeys(object).map(String)).join();
      const before = globals();
      const { canonicalString, hmacSignature } = await import('orgctl/signing');
      const { signInterceptor } = await import('orgctl/client');
      const { startServer } = await import('orgctl/server');
      const server = await startServer();
      await server.close();
      const signed = { method: 'get', target: '/quotas', timestamp: '1700000000', contentType: '', body: new Uint8Array() };
      console.log(globals() === before, z.string().safeParse(1).error.issues[0].message === message);
      console.log(typeof signInterceptor, server.url.startsWith('https://127.0.0.1:'), hmacSignature('secret', canonicalString(signed)));`;
    const ended = await collect(process.execPath, ['--input-type=module', '-e', script]);
    // printf 'GET\n/quotas\n1700000000\n\n' | openssl dgst -sha256 -hmac secret
    const signature = 'cfb83c8c9d9665169fd33d2ffc80eaaccb36ae55ca59f532b6d5b13f150ef0e1';
    expect(ended).toEqual({ code: 0, stdout: `true true\nfunction true ${signature}\n`, stderr: '' });
  });
});

function detached() {
  const data = temporaryDirectory();
  const env = emptyEnvironment();
  const local = (verb: string) => runBundle(['local', verb, '--data', data], { env });
  const serve = (...more: string[]) =>
    runBuiltTool(['serve', '--detach', '--http', '--port', '0', '--no-console', '--data', data, ...more], {
      env,
    });
  onTestFinished(async () => void (await local('stop')));
  return { data, log: join(data, 'serve.log'), local, serve };
}

it('runs in the background when it is ready, and is stopped by local stop', async () => {
  const { data, log, local, serve } = detached();
  const seed = join(temporaryDirectory(), 'seed.json');
  writeFileSync(seed, '{"organizations":[{"name":"a"}]}');
  const started = await serve('-o', 'json');
  expect(started).toMatchObject({ code: 0, stderr: '' });
  const { event, url, pid } = JSON.parse(started.stdout);
  expect(event).toBe('ready');
  expect(statSync(log).mode & 0o777).toBe(0o600);
  expect(await local('wait')).toMatchObject({ code: 0, stdout: `${url}\n` });
  expect(await local('stop')).toMatchObject({ code: 0 });
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(join(data, 'server.json'))).toBe(false);
  const again = await serve('--seed', seed);
  expect(again).toMatchObject({ code: 0, stdout: '' });
  expect(again.stderr).toContain('orgctl serve is ready.');
  expect(again.stderr).toContain('warning: the seed was not applied');
  expect(again.stderr).toContain(`stop it: orgctl local stop --data ${data}`);
  expect(again.stderr).toContain(`show the secret: orgctl local key --data ${data}`);
});
