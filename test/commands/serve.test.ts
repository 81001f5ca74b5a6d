import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { serverCertificate } from '../../src/server/certificate/certificate.js';
import { issueAuthority, issueServerCertificate } from '../../src/server/certificate/issue.js';
import { startServer } from '../../src/server/index.js';
import { keepServerProfile, profileToKeep } from '../../src/verbs/serve/server-profile.js';
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

const node = process.execPath;

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

  it('keeps the profile local up to date, so that commands just work', async () => {
    const env = emptyEnvironment();
    const { stop } = await startServe([], env);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    const told = await runCli(['local', 'status', '--query', 'profile', '--raw'], { env });
    expect(told.stdout).toBe('local\n');
    await stop();
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
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

  it.each([[[]], [['--http']]])('leaves the profile local to a server that runs: %j', async (scheme) => {
    const env = emptyEnvironment();
    const first = await startServe(scheme, env);
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    const kept = await store.get('local');
    await (await startServe(['--ephemeral', ...scheme], env)).stop();
    const data = ['--data', temporaryDirectory()];
    const second = await startServe([...data, ...scheme], env);
    expect((await second.stop()).stderr).toContain('already points to a running server');
    expect(await store.get('local')).toEqual(kept);
    expect((await runCli(['quotas', '-p', 'local'], { env })).code).toBe(0);
    await first.stop();
    const third = await startServe([...data, ...scheme], env);
    expect(await store.get('local')).toMatchObject({ baseUrl: third.ready.url, keyId: third.ready.keyId });
    await third.stop();
  });

  it('leaves the profile local to a server that started at the same time, or that has a certificate of its own', async () => {
    const env = emptyEnvironment();
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    const notes: string[] = [];
    const context = { profiles: () => store, note: async (text: string) => void notes.push(text) };
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

  it('keeps the profile that --save-profile names as long as a server in memory runs', async () => {
    const env = emptyEnvironment();
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    const args = ['--ephemeral', '--save-profile', 'try'];
    const first = await startServe(args, env);
    expect((await runCli(['quotas', '-p', 'try'], { env })).code).toBe(0);
    const second = await runCli(['serve', '--port', '0', ...args], { env });
    expect(second).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already points to a running server'),
    });
    await first.stop();
    expect(await store.list()).toEqual([]);

    await store.add('try', { baseUrl: 'https://mine.example', keyId: 'key_mine', secret: 'x' });
    const third = await runCli(['serve', '--port', '0', ...args], { env });
    expect(third).toMatchObject({ code: 2, stderr: expect.stringContaining('created by hand') });
    expect(await store.get('try')).toMatchObject({ keyId: 'key_mine' });
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

  it('leaves a profile local alone that was made by hand', async () => {
    const env = emptyEnvironment();
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    const mine = { baseUrl: 'https://mine.example', keyId: 'key_mine', secret: 'x' };
    await store.add('local', mine);
    const { stop } = await startServe([], env);
    expect(await stop()).toMatchObject({ code: 143, stderr: expect.stringContaining('created by hand') });
    expect(await store.get('local')).toEqual(mine);
  });

  it('does not make local the current profile where there is one, nor any with --no-profile', async () => {
    const env = emptyEnvironment();
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    await (await startServe(['--no-profile'], env)).stop();
    await (await startServe(['--ephemeral'], env)).stop();
    expect(await store.list()).toEqual([]);
    await store.add('prod', { baseUrl: 'https://prod.example', keyId: 'key_p', secret: 'x' });
    await (await startServe([], env)).stop();
    expect((await store.read()).current).toBe('prod');
    expect((await store.list()).map(({ name }) => name)).toEqual(['prod', 'local']);
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

describe('serve without --', () => {
  it.each([
    ['serve npm test', 'put -- before the command: orgctl serve -- npm test'],
    ['serve npm -- test', 'put -- before the command: orgctl serve -- npm test'],
    ['serve node --port 0', 'put -- before the command: orgctl serve -- node'],
    ['serve backpu', 'did you mean orgctl serve backup?'],
    ['serve restor', 'put -- before the command: orgctl serve -- restor'],
    ['serve status', 'orgctl local status'],
    ['proxy npm -- test', 'put -- before the command: orgctl proxy -- npm test'],
  ])('starts nothing for %s', async (line, hint) => {
    const ended = await runCli(['-o', 'json', ...line.split(' ')]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    const error = errorOf(ended);
    expect(error['message']).toContain(JSON.stringify(line.split(' ')[1]));
    expect(error).toMatchObject({ hint });
  });

  it('takes no -- for the value of an option', async () => {
    const ended = await runCli(['serve', '-o', 'json', '--data', '--', 'npm', 'test']);
    expect(errorOf(ended)['message']).toContain('--data <dir>');
  });

  it('runs a command named as a subcommand', async () => {
    const ended = await runCli(['serve', '--', 'check'], { env: emptyEnvironment() });
    expect(ended).toMatchObject({ code: 127, stdout: '' });
  });
});

describe('serve -- command', () => {
  const script = (code: string) => ['serve', '--', node, '-e', code];

  it('runs the command against a fresh server and exits with its code', async () => {
    const code = `
      const names = ['ORGCTL_BASE_URL', 'ORGCTL_KEY_ID', 'ORGCTL_SECRET', 'ORGCTL_CA_FILE', 'NODE_EXTRA_CA_CERTS'];
      console.log(names.every((name) => process.env[name]));
      process.exitCode = 42;`;
    const env = { ...emptyEnvironment(), PATH: process.env['PATH'] };
    const ended = await runCli(script(code), { env });
    expect(ended).toMatchObject({ code: 42, stdout: 'true\n' });
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    expect(await store.list()).toEqual([]);
  });

  it('keeps from the command what is for the server alone', async () => {
    const secret = '0123456789abcdef'.repeat(4);
    const own = {
      ORGCTL_SERVE_MASTER_KEY: 'a'.repeat(64),
      ORGCTL_SERVE_NEW_MASTER_KEY: 'b'.repeat(64),
      ORGCTL_SERVE_SECRET: secret,
      ORGCTL_SERVE_DATABASE: 'postgres://u:hunter2@127.0.0.1:1/db',
    };
    const env = { ...emptyEnvironment(), PATH: process.env['PATH'], PGPASSWORD: 'of the command', ...own };
    const ended = await runCli(script('console.log(JSON.stringify(process.env))'), { env });
    expect(ended.code).toBe(0);
    const seen: unknown = JSON.parse(ended.stdout);
    for (const name of Object.keys(own)) expect(seen).not.toHaveProperty(name);
    // The first key is for the command; and there was no database whose password that could be.
    expect(seen).toMatchObject({ ORGCTL_SECRET: secret, PGPASSWORD: 'of the command' });
  });

  it('passes the command its own options untouched', async () => {
    const ended = await runCli([
      'serve',
      '--',
      node,
      '-p',
      'process.argv.slice(1).join()',
      '--',
      '-o',
      'json',
      '--version',
    ]);
    expect(ended.stdout).toBe('-o,json,--version\n');
  });

  it('exits as a shell does when a signal ends the command', async () => {
    const ended = await runCli(script("process.kill(process.pid, 'SIGKILL')"));
    expect(ended.code).toBe(137);
  });

  it('passes a signal on, once, and keeps the exit code', async () => {
    const file = join(mkdtempSync(join(temporaryDirectory(), 'x')), 'signals');
    const code = `
      const { appendFileSync } = require('node:fs');
      process.on('SIGTERM', () => { appendFileSync(${JSON.stringify(file)}, 'T'); process.exitCode = 7; clearInterval(timer); });
      const timer = setInterval(() => undefined, 1000);
      console.log('waiting');`;
    const { system, ended } = startCli(script(code));
    await expect.poll(() => system.stdoutText(), { timeout: 10_000 }).toContain('waiting');
    system.raise('SIGTERM');
    expect((await ended).code).toBe(7);
    expect(readFileSync(file, 'utf8')).toBe('T');
  });

  it('ends as a shell does when there is no such command, or it cannot be run', async () => {
    const missing = await runCli(['serve', '--', './no-such-command']);
    expect(missing).toMatchObject({ code: 127, stderr: expect.stringContaining('./no-such-command') });
    const file = join(temporaryDirectory(), 'plain.txt');
    writeFileSync(file, 'no program', { mode: 0o644 });
    const unusable = await runCli(['serve', '-o', 'json', '--', file]);
    expect(unusable.code).toBe(126);
    expect(errorOf(unusable)).toMatchObject({
      code: 'usage',
      exitCode: 126,
      message: expect.stringContaining(file),
    });
  });

  it('takes help for a question, but not after --', async () => {
    const help = await runCli(['serve', 'help']);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: orgctl serve') });
    const ofVerb = await runCli(['serve', 'help', 'backup']);
    expect(ofVerb.stdout).toContain('Usage: orgctl serve backup');
    expect((await runCli(['serve', '--', 'help'], { env: emptyEnvironment() })).code).toBe(127);
  });

  it('stays until the command has ended, however many signals come', async () => {
    const code = `
      let count = 0;
      process.on('SIGTERM', () => {
        count += 1;
        console.log('got ' + count);
        if (count === 2) process.exit(5);
      });
      setInterval(() => undefined, 1000);
      console.log('waiting');`;
    const { system, ended } = startCli(script(code));
    const shows = (text: string) =>
      expect.poll(() => system.stdoutText(), { timeout: 10_000 }).toContain(text);
    await shows('waiting');
    const listening = system.listenerCount('SIGTERM');
    system.raise('SIGTERM');
    await shows('got 1');
    // For other commands the system's own handling is back by then.
    await expect.poll(() => system.listenerCount('SIGTERM')).toBeLessThan(listening);
    expect(system.raise('SIGTERM')).toBe(true);
    expect((await ended).code).toBe(5);
  });
});
