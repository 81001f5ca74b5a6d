import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { issueCertificates } from '../../src/server/certificate/issue.js';
import { emptyEnvironment, errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { runWith, startServe } from './support/serve.js';

describe('serve', () => {
  it('takes certificate and key of --tls-cert and --tls-key, each for what it is', async () => {
    const directory = temporaryDirectory();
    const { ca, ...identity } = issueCertificates(new Date(), ['127.0.0.1']);
    const file = (name: string, text: string) => {
      writeFileSync(join(directory, name), text, { mode: 0o600 });
      return join(directory, name);
    };
    const flags = ['--tls-cert', file('cert.pem', identity.cert), '--tls-key', file('key.pem', identity.key)];
    const { ready, stop } = await startServe(['--ephemeral', ...flags]);
    expect(ready.caFile).toBeUndefined();
    const caFile = file('ca.pem', ca);
    expect((await runWith({ ...ready, caFile }, ['quotas'])).code).toBe(0);
    await stop();
  });

  it('takes empty variables for unset', async () => {
    const unset = { ORGCTL_SERVE_DATABASE: '', ORGCTL_SERVE_MASTER_KEY: '', ORGCTL_SERVE_SECRET: '' };
    const { ready, stop } = await startServe([], { ...emptyEnvironment(), ...unset });
    expect(ready.secret).toMatch(/^[0-9a-f]{64}$/);
    await stop();
  });

  it('takes the first key, its secret and the quotas as given, and stops on SIGTERM with 143', async () => {
    const secret = '0123456789abcdef'.repeat(4);
    const env = { ...emptyEnvironment(), ORGCTL_SERVE_SECRET: secret };
    const flags = ['--bootstrap-key-id', 'key_mine', '--quota', 'teams=1', '--quota', 'connections=0'];
    const { ready, stop } = await startServe(['--ephemeral', ...flags], env);
    expect(ready).toMatchObject({ event: 'ready', keyId: 'key_mine', secret, pid: expect.any(Number) });
    const quotas = await runWith(ready, ['quotas', '-o', 'json']);
    expect(JSON.parse(quotas.stdout)).toMatchObject({
      teams: { limit: 1, used: 0, remaining: 1 },
      connections: { limit: 0, used: 0, remaining: 0 },
      'api-keys': { limit: 20, used: 1, remaining: 19 },
    });
    const control = { ORGCTL_CONTROL_URL: `${ready.url}/_control`, ORGCTL_CONTROL_TOKEN: ready.controlToken };
    expect((await runWith(ready, ['local', 'clock', 'show'], control)).code).toBe(0);
    const { code, stdout } = await stop();
    expect([code, stdout.trim().split('\n').length]).toEqual([143, 1]);
    const gone = await runWith({ ...ready, caFile: undefined }, ['quotas', '--retries', '0']);
    expect(gone.code).toBe(9);
  });

  it('keeps its key and its resources over a restart, and ends with 0 when local stop asks it to', async () => {
    const env = emptyEnvironment();
    const first = await startServe(['--no-profile'], env);
    const { data, url, keyId, secret } = first.ready;
    expect(statSync(data).mode & 0o777).toBe(0o700);
    await runWith(first.ready, ['teams', 'create', '--name', 'kept']);
    const stopped = await runCli(['local', 'stop', '--data', data]);
    expect(stopped).toEqual({ code: 0, stdout: '', stderr: `the server at ${url} stopped\n` });
    expect(await first.stop()).toMatchObject({ code: 0 });
    expect((await runCli(['local', 'stop', '--data', data])).code).toBe(3);
    const second = await startServe(['--no-profile'], env);
    expect(second.ready).toMatchObject({ keyId, secret });
    const listed = await runWith(second.ready, ['teams', 'list', '-o', 'json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'kept' }]);
    await second.stop();
  });

  it('tells people on stderr the next command, and where its secret is', async () => {
    const file = join(temporaryDirectory(), 'ready.json');
    const banner = async (...args: readonly string[]) => {
      const { system, ended } = startCli(['serve', '--port', '0', ...args]);
      await expect.poll(() => system.stderrText()).toContain('Ctrl-C');
      system.raise('SIGINT');
      const { code, stdout, stderr } = await ended;
      expect([code, stdout, stderr]).toEqual([130, '', expect.not.stringContaining('error')]);
      return stderr;
    };
    expect(await banner()).toContain('orgctl quotas --profile local');
    const secretless = await banner('--ephemeral', '--no-profile');
    expect(secretless).not.toMatch(/[0-9a-f]{64}/);
    expect(secretless).toContain('--save-profile NAME');
    expect(await banner('--ephemeral', '--show-secret')).toMatch(/^ {2}secret {3}[0-9a-f]{64}$/m);
    expect(await banner('--ephemeral', '--ready-file', file)).toContain(`The secret is in ${file}`);
  });

  it('a ready file that cannot be written leaves nothing running and nothing behind', async () => {
    const path = join(temporaryDirectory(), 'taken');
    mkdirSync(join(path, 'by'), { recursive: true });
    const ended = await runCli(['serve', '--ephemeral', '--port', '0', '--ready-file', path]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--ready-file') });
    expect(readdirSync(join(path, '..'))).toEqual(['taken']);
  });

  it.each([
    [['--port', 'many'], 2, 'not a port'],
    [['--console-port', 'x'], 2, '--console-port x: not a port'],
    [['--no-console', '--console-port', '0'], 2, 'cannot be used with'],
    [['--quota', 'connections'], 2, 'kind=number'],
    [['--quota', 'teams=2147483648'], 2, 'the largest limit is 2147483647'],
    [['--tls-cert', 'x.pem', '--tls-key', 'y.pem'], 2, '--tls-cert x.pem: no such file'],
    [['--tls-cert', 'x.pem'], 2, '--tls-key'],
    [['--ephemeral', '--data', 'x'], 2, 'cannot be used with'],
    [['--ephemeral', '--database', 'postgres://h/d'], 2, 'cannot be used with'],
    [['--database', 'mysql://h/d'], 2, 'not a PostgreSQL URL'],
    [['--database', 'postgres://h/d?sslmode=perhaps'], 3, 'sslmode'],
    [['--host', ''], 2, '--host must not be empty'],
    [['--data', '', '--', 'true'], 2, '--data must not be empty'],
    [['--rate-limit', '5'], 2, 'requests/duration'],
    [['--clock-offset', '-999999h'], 2, '1970'],
    [['--seed', '/nothing/there.json'], 2, 'no such file'],
    [['--ready-file', '/nothing/there.json'], 2, '/nothing/there.json'],
    [['--http', '--host', '0.0.0.0'], 2, 'use HTTPS, or listen on 127.0.0.1'],
    [['--quota', 'api-keys=0'], 3, 'raise the quota for API keys to 1'],
    [['--bootstrap-key-id', 'a'], 2, 'change it, or leave it out and one is generated'],
    [['--database', 'postgres://127.0.0.1:1/d'], 3, 'check that the database runs and that its URL is right'],
    [['--data', '/dev/null/d'], 3, 'choose another data directory'],
  ])('refuses %j', async (args, code, message) => {
    const place = /--data/.test(args.join()) ? [] : ['--ephemeral'];
    const port = args[0] === '--port' ? [] : ['--port', '0'];
    const env = emptyEnvironment();
    const ended = await runCli(['serve', ...port, ...place, ...args], { env });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain('`');
  });
});

it.each([
  ['an old one', '{"event":"ready","url":"of a killed server, readable by all"}\n'],
  ['an empty file', ''],
])(
  'serve --ready-file replaces %s, for its owner alone, and is removed at the end',
  async (_what, content) => {
    const directory = temporaryDirectory();
    const path = join(directory, 'ready.json');
    writeFileSync(path, content);
    const { ready, stop } = await startServe(['--ephemeral', '--ready-file', path]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ready);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['ready.json']);
    await stop();
    expect(readdirSync(directory)).toEqual([]);
  },
);

it.each<[what: string, make: (path: string) => void]>([
  ['notes', (path) => writeFileSync(path, 'notes')],
  ['JSON of another program', (path) => writeFileSync(path, '{"event":"stop"}')],
  ['a link', (path) => symlinkSync('/dev/null', path)],
  ['a link to nothing', (path) => symlinkSync('nowhere', path)],
  ['a directory', (path) => mkdirSync(path)],
])('serve --ready-file leaves %s in its place, and starts nothing', async (_what, make) => {
  const directory = temporaryDirectory();
  const path = join(directory, 'ready.json');
  make(path);
  const before = lstatSync(path).ino;
  const data = join(directory, 'data');
  const ended = await runCli(['serve', '--port', '0', '--data', data, '--ready-file', path, '--', 'true']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(`--ready-file ${path} already exists, and is not a ready file`);
  expect(lstatSync(path).ino).toBe(before);
  expect(readdirSync(directory)).toEqual(['ready.json']);
});

it('serve --ready-file of another server is left alone', async () => {
  const path = join(temporaryDirectory(), 'ready.json');
  const { stop } = await startServe(['--ephemeral', '--ready-file', path]);
  writeFileSync(path, 'of a later server');
  await stop();
  expect(readFileSync(path, 'utf8')).toBe('of a later server');
});

describe('serve --database', () => {
  it.each([
    'postgres://user:hunter2@host/db',
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

  // Which URLs are refused without their passwords: test/postgres/connection-url.test.ts.
  it.each([
    'postgres://user:hunter2@host/db?sslmod=require',
    'hunter2',
    'postgres://u:hunter2@127.0.0.1:1/db',
  ])('repeats no password of ORGCTL_SERVE_DATABASE: %s', async (url) => {
    const own = { ORGCTL_SERVE_DATABASE: url, ORGCTL_SERVE_MASTER_KEY: '5'.repeat(64) };
    const env = { ...emptyEnvironment(), ...own };
    const ended = await runCli(['serve', '--port', '0', '-v'], { env });
    expect(ended.code).toBe(3);
    expect(ended.stderr + ended.stdout).not.toContain('hunter2');
  });
});
