import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { issueAuthority, issueServerCertificate } from '../../src/server/certificate/issue.js';
import { emptyEnvironment, errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { type Ready, startServe } from './support/serve.js';

type Environment = Record<string, string | undefined>;

function client(ready: Partial<Ready>): Environment {
  const { url, keyId, secret, caFile } = ready;
  return {
    ...emptyEnvironment(),
    ORGCTL_BASE_URL: url,
    ORGCTL_KEY_ID: keyId,
    ORGCTL_SECRET: secret,
    ORGCTL_CA_FILE: caFile,
  };
}

describe('serve', () => {
  it('takes certificate and key of --tls-cert and --tls-key, each for what it is', async () => {
    const directory = temporaryDirectory();
    const authority = await issueAuthority(new Date());
    const identity = await issueServerCertificate(authority, ['127.0.0.1'], new Date());
    const file = (name: string, text: string) => {
      writeFileSync(join(directory, name), text, { mode: 0o600 });
      return join(directory, name);
    };
    const flags = ['--tls-cert', file('cert.pem', identity.cert), '--tls-key', file('key.pem', identity.key)];
    const { ready, stop } = await startServe(['--ephemeral', ...flags]);
    expect(ready.caFile).toBeUndefined();
    const env = { ...client(ready), ORGCTL_CA_FILE: file('ca.pem', authority.cert) };
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    await stop();
  });

  it('says in one line on stdout where it is, and stops on SIGTERM with 143', async () => {
    const { ready, stop } = await startServe(['--ephemeral']);
    expect(ready).toMatchObject({
      event: 'ready',
      keyId: expect.stringMatching(/^key_/),
      pid: expect.any(Number),
    });
    expect((await runCli(['quotas'], { env: client(ready) })).code).toBe(0);
    const { code, stdout } = await stop();
    expect(code).toBe(143);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const { caFile: _gone, ...gone } = ready;
    expect((await runCli(['quotas', '--retries', '0'], { env: client(gone) })).code).toBe(9);
  });

  it('ends with 0 when local stop asks it to, which returns when nothing answers any more', async () => {
    const data = temporaryDirectory();
    const serving = await startServe(['--data', data, '--no-profile']);
    const stopped = await runCli(['local', 'stop', '--data', data]);
    expect(stopped).toMatchObject({ code: 0, stdout: '' });
    expect(stopped.stderr).toBe(`the server at ${serving.ready.url} stopped\n`);
    expect(await serving.stop()).toMatchObject({ code: 0 });
    expect((await runCli(['local', 'stop', '--data', data])).code).toBe(3);
  });

  it('prints a banner on stderr for people, with the next command', async () => {
    const env = emptyEnvironment();
    const { system, ended } = startCli(['serve', '--port', '0'], { env });
    await expect
      .poll(() => system.stderrText(), { timeout: 10_000 })
      .toContain('orgctl quotas --profile local');
    system.raise('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(stdout).toBe('');
    expect(stderr).not.toContain('error');
  });

  it('says how its key can be had where no profile and no ready file has it', async () => {
    const banner = async (args: readonly string[]) => {
      const { system, ended } = startCli(['serve', '--ephemeral', '--port', '0', ...args]);
      await expect.poll(() => system.stderrText(), { timeout: 10_000 }).toContain('Ctrl-C');
      system.raise('SIGINT');
      return (await ended).stderr;
    };
    const shown = await banner(['--no-profile', '--show-secret', '--bootstrap-key-id', 'key_a']);
    expect(shown).toMatch(/^ {2}secret {3}[0-9a-f]{64}$/m);
    const secretless = await banner(['--no-profile']);
    expect(secretless).not.toMatch(/[0-9a-f]{64}/);
    expect(secretless).toContain('--save-profile NAME');
    expect(secretless).not.toContain('orgctl serve -o json');
    const file = join(temporaryDirectory(), 'ready.json');
    expect(await banner(['--ready-file', file])).toContain(`The secret is in ${file}`);
  });

  it('keeps its key and its resources over a restart', async () => {
    const env = emptyEnvironment();
    const first = await startServe([], env);
    expect(statSync(first.ready.data).mode & 0o777).toBe(0o700);
    await runCli(['teams', 'create', '--name', 'kept'], { env: client(first.ready) });
    await first.stop();
    const second = await startServe([], env);
    expect(second.ready).toMatchObject({ keyId: first.ready.keyId, secret: first.ready.secret });
    const listed = await runCli(['teams', 'list', '-o', 'json'], { env: client(second.ready) });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'kept' }]);
    await second.stop();
  });

  it('takes the first key, its secret and the quotas as given', async () => {
    const secret = '0123456789abcdef'.repeat(4);
    const env = { ...emptyEnvironment(), ORGCTL_SERVE_SECRET: secret };
    const { ready, stop } = await startServe(
      ['--ephemeral', '--bootstrap-key-id', 'key_mine', '--quota', 'teams=1', '--quota', 'connections=0'],
      env,
    );
    expect(ready).toMatchObject({ keyId: 'key_mine', secret });
    const quotas = await runCli(['quotas', '-o', 'json'], { env: client(ready) });
    expect(JSON.parse(quotas.stdout)).toMatchObject({
      teams: { limit: 1, used: 0, remaining: 1 },
      connections: { limit: 0, used: 0, remaining: 0 },
      'api-keys': { limit: 20, used: 1, remaining: 19 },
    });
    await stop();
  });

  it.each([
    [['--port', 'many'], 2, 'not a port'],
    [['--quota', 'connections'], 2, 'kind=number'],
    [['--quota', 'cats=3'], 2, 'connections'],
    [['--quota', 'teams=2147483648'], 2, 'the largest limit is 2147483647'],
    [['--http', '--host', '0.0.0.0'], 2, 'loopback'],
    [['--tls-cert', 'x.pem', '--tls-key', 'y.pem'], 2, '--tls-cert x.pem: no such file'],
    [['--tls-cert', 'x.pem'], 2, '--tls-key'],
    [['--ephemeral', '--data', 'x'], 2, 'cannot be combined'],
    [['--ephemeral', '--database', 'postgres://h/d'], 2, 'cannot be combined'],
    [['--database', 'mysql://h/d'], 2, 'not a PostgreSQL URL'],
    [['--database', 'postgres://h/d?sslmode=perhaps'], 3, 'sslmode'],
    [['--database', 'postgres://127.0.0.1:1/d'], 3, '127.0.0.1:1/d'],
    [['--data', '/dev/null/data'], 3, '/dev/null/data'],
    [['--bootstrap-key-id', 'nokey', '--ephemeral'], 2, 'key_'],
    [['--host', '', '--ephemeral'], 2, '--host must not be empty'],
    [['--data', ''], 2, '--data must not be empty'],
    [['--data', '', '--', 'true'], 2, '--data must not be empty'],
  ])('refuses %j', async (args, code, message) => {
    const ended = await runCli(['serve', '--port', '0', ...args], { env: emptyEnvironment() });
    expect(ended.stderr).toContain(message);
    expect(ended.code).toBe(code);
  });

  it('says which flag to use when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ended = await runCli(['serve', '--ephemeral', '--port', String(port), '-o', 'json']);
    other.close();
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({ hint: expect.stringContaining('--port') });
  });
});

describe('errors of the library', () => {
  it.each([
    [['--fault', 'x'], { message: '--fault x: not a fault rule' }],
    [['--http', '--host', '0.0.0.0'], { hint: 'leave out --http, or listen on 127.0.0.1' }],
    [['--quota', 'api-keys=0'], { hint: 'give --quota api-keys=1 or more' }],
    [
      ['--bootstrap-key-id', 'a'],
      { hint: 'change --bootstrap-key-id, or leave it out and one is generated' },
    ],
    [
      ['--database', 'postgres://127.0.0.1:1/d'],
      { hint: /--database or ORGCTL_SERVE_DATABASE points to it/ },
    ],
    [['--data', '/dev/null/d'], { hint: /choose another with --data$/ }],
  ])('name flags and variables where it names options: %j', async (args, expected) => {
    const place = args.includes('--data') ? [] : ['--ephemeral'];
    const flags = args.includes('--database') ? args : [...args, ...place];
    const ended = await runCli(['serve', '--port', '0', '-o', 'json', ...flags], { env: emptyEnvironment() });
    const error = errorOf(ended);
    for (const [field, text] of Object.entries(expected)) {
      const said = Reflect.get(Object(error), field);
      if (text instanceof RegExp) expect(said).toMatch(text);
      else expect(said).toBe(text);
    }
    expect(ended.stderr).not.toContain('`');
  });
});

describe('serve --database', () => {
  it.each([
    'postgres://user:hunter2@host/db',
    'postgres://user:hunter2@/db?host=/tmp',
    'postgresql://:hunter2@host',
    'postgres://host/db?user=u&password=hunter2',
  ])('takes no password from the command line: %s', async (url) => {
    const ended = await runCli(['serve', '--database', url, '-o', 'json']);
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({
      message: expect.stringContaining('password'),
      hint: expect.stringContaining('ORGCTL_SERVE_DATABASE'),
    });
    expect(ended.stderr + ended.stdout).not.toContain('hunter2');
  });

  it.each([
    'postgres://user:hunter2@host/db?sslmod=require',
    'postgres://user:hunter2?@host/db',
    'postgres://user:hunter2/x@host/db',
    'mysql://user:hunter2@host/db',
    'hunter2',
    'postgres://user:hunter2@127.0.0.1:1/db',
  ])('repeats no password of ORGCTL_SERVE_DATABASE: %s', async (url) => {
    const env = {
      ...emptyEnvironment(),
      ORGCTL_SERVE_DATABASE: url,
      ORGCTL_SERVE_MASTER_KEY: '5'.repeat(64),
    };
    const ended = await runCli(['serve', '--port', '0', '-v'], { env });
    expect(ended.code).toBe(3);
    expect(ended.stderr + ended.stdout).not.toContain('hunter2');
  });

  it('is not meant by the variable where a fresh service is', async () => {
    const env = { ...emptyEnvironment(), ORGCTL_SERVE_DATABASE: 'postgres://127.0.0.1:1/db' };
    expect((await runCli(['serve', '--', process.execPath, '-e', '0'], { env })).code).toBe(0);
    const { stop } = await startServe(['--ephemeral'], env);
    expect((await stop()).code).toBe(143);
  });
});
