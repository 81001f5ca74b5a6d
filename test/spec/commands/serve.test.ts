import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { profileStore } from '../../../src/profiles/file/store.js';
import { isRunning } from '../../../src/terminal/process/system.js';
import { script } from '../../support/built-tool.js';
import { Caller } from '../../support/caller.js';
import { makeAuthority } from '../../support/certificates.js';
import { isMissing } from '../../support/programs.js';
import { emptyEnvironment, runCli, startCli, temporaryDirectory } from '../../support/run-cli.js';
import { runWith, startServe } from '../../support/serve.js';
import { startServeProcess } from '../../support/serve-process.js';
import { tokenOf, Visitor } from '../../support/visitor.js';

it('serve: a ready file that cannot be written leaves nothing running and nothing behind', async () => {
  const path = join(temporaryDirectory(), 'taken');
  mkdirSync(join(path, 'by'), { recursive: true });
  const ended = await runCli(['serve', '--ephemeral', '--port', '0', '--ready-file', path]);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--ready-file') });
  expect(readdirSync(join(path, '..'))).toEqual(['taken']);
});

it('serve --ready-file of another server is left alone', async () => {
  const path = join(temporaryDirectory(), 'ready.json');
  const { stop } = await startServe(['--ephemeral', '--ready-file', path]);
  writeFileSync(path, 'of a later server');
  await stop();
  expect(readFileSync(path, 'utf8')).toBe('of a later server');
});

it('serve --max-skew sets how old a timestamp may be, by the clock of --clock-offset', async () => {
  const { ready, stop } = await startServe(['--ephemeral', '--max-skew', '1m', '--clock-offset', '-1h']);
  const ago = (seconds: number) => ({ timestamp: String(Math.floor(Date.now() / 1000) - 3600 - seconds) });
  const status = async (seconds: number) =>
    (await new Caller(ready).send('GET', '/quotas', ago(seconds))).status;
  expect([await status(50), await status(90)]).toEqual([200, 401]);
  await stop();
});

it('local reaches a server whose certificate only other machines trust', async () => {
  const { cert, key } = await (await makeAuthority('Ours')).issue(['service.example']);
  const data = temporaryDirectory();
  const [certFile, keyFile] = [join(data, 'cert'), join(data, 'key')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const files = ['--tls-cert', certFile, '--tls-key', keyFile];
  const { ready, stop } = await startServe(['--data', data, '--console-port', '0', ...files]);
  const ended = await runCli(['local', 'status', '--data', data, '-o', 'json']);
  expect([JSON.parse(ended.stdout).url, ready.caFile]).toEqual([ready.url, undefined]);
  await stop();
});

it.each([
  ['--ephemeral --data d', "'--data <dir>'"],
  ['--ephemeral --database postgres://h/d', "'--database <url>'"],
  ['--tls-cert a', 'must be given together'],
  ['--ephemeral --host 192.0.2.1', 'port 8443'],
])('serve %s is refused', async (args, stderr) => {
  const ended = await runCli(['serve', ...args.split(' ')]);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(stderr) });
});

const node = process.execPath;

describe('serve -- command', () => {
  const script = (code: string, ...flags: string[]) => ['serve', ...flags, '--', node, '-e', code];

  it('stays until the command has ended, passes each signal on once, and keeps the exit code', async () => {
    const code = `
      let count = 0;
      process.on('SIGTERM', () => {
        count += 1;
        console.log('got ' + count);
        if (count === 2) setTimeout(() => process.exit(5), 100);
      });
      setInterval(() => undefined, 1000);
      console.log('waiting');`;
    const { system, ended } = startCli(script(code));
    const shows = (text: string) => expect.poll(() => system.stdoutText()).toContain(text);
    await shows('waiting');
    const listening = system.listenerCount('SIGTERM');
    system.raise('SIGTERM');
    await shows('got 1');
    // For other commands the system's own handling is back by then.
    await expect.poll(() => system.listenerCount('SIGTERM')).toBeLessThan(listening);
    expect(system.raise('SIGTERM')).toBe(true);
    expect(await ended).toMatchObject({ code: 5, stdout: 'waiting\ngot 1\ngot 2\n' });
  });

  it('passes on a hang-up as one, but not the Ctrl-C of a terminal, which reaches the command by itself', async () => {
    const code = `
      process.on('SIGINT', () => console.log('got it'));
      process.on('SIGHUP', () => process.exit(5));
      setInterval(() => undefined, 1000);
      console.log('waiting');`;
    const { system, ended } = startCli(script(code), { isTTY: { stderr: true } });
    await expect.poll(() => system.stdoutText()).toContain('waiting');
    system.raise('SIGINT');
    system.raise('SIGHUP');
    expect(await ended).toMatchObject({ code: 5, stdout: 'waiting\n' });
  });
});

const wrongSecret = { ORGCTL_SECRET: 'w'.repeat(64) };

it('serve tells on stderr what a client wrote without what could steer the terminal', async () => {
  const { ready, stop } = await startServe(['--ephemeral', '-v']);
  const body = JSON.stringify({ name: 'a', ['\u001b[31m\u202e']: 1, type: 'pg', config: {} });
  await runWith(ready, ['request', 'POST', '/connections', '-d', body], wrongSecret);
  const { stderr } = await stop();
  expect(stderr).toContain('202e');
  for (const raw of ['\u001b', '\u202e']) expect(stderr).not.toContain(raw);
});

it('serve stores a key that is issued in the console as a profile, and never in the place of another', async () => {
  const env = emptyEnvironment();
  const { ready, stop } = await startServe(['--ephemeral', '--console-port', '0'], env);
  const visitor = new Visitor({ console: ready.console });
  await visitor.enter(ready.console);
  const issued = await visitor.send('POST', '/_control/keys', { name: 'ci' });
  const { id: keyId, secret } = JSON.parse(issued.text);
  const keep = (name: string) => visitor.send('POST', '/_control/profiles', { name, keyId, secret });
  expect((await keep('ci')).status).toBe(201);
  expect((await runCli(['whoami', '-p', 'ci', '-o', 'json'], { env })).stdout).toContain(keyId);
  expect((await runCli(['quotas', '-p', 'ci'], { env })).code).toBe(0);
  expect((await keep('ci')).status).toBe(409);
  const wrong = await keep('no name');
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('is not a profile name')]);
  expect((await stop()).stderr).not.toContain(tokenOf(ready.console));
});

// What only a process has: signals of the system, a terminal that is closed, a package that is not there.

describe('serve', () => {
  const left = (directory: string) =>
    readdirSync(directory).filter((name) => /^(ready|orgctl-serve-)/.test(name));

  it('ends the command first at a signal, then leaves nothing behind', async () => {
    const own = temporaryDirectory();
    const env = { ...emptyEnvironment(), PATH: process.env['PATH'], TMPDIR: own };
    const flags = ['-q', '--ready-file', join(own, 'ready.json'), '--save-profile', 'try'];
    const args = ['serve', ...flags, '--', 'sh', '-c', 'echo $$; exec sleep 600'];
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const serve = spawn(node, [script, ...args], { env, stdio: [...stdio] });
    onTestFinished(() => void serve.kill('SIGKILL'));
    const [pid] = await once(createInterface(serve.stdout), 'line');
    expect(left(own)).toContain('ready.json');
    serve.kill('SIGINT');
    const [[...end], stderr] = await Promise.all([once(serve, 'close'), text(serve.stderr)]);
    expect([end, stderr, left(own)]).toEqual([[130, null], '', []]);
    expect(isRunning(Number(pid))).toBe(false);
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    expect((await store.read()).profiles).toEqual({});
  });

  it.skipIf(isMissing('script'))(
    'ends as hung up, and does not crash, when its terminal is closed',
    async () => {
      const own = temporaryDirectory();
      const env = { ...emptyEnvironment(), PATH: process.env['PATH'], TMPDIR: own, SHELL: '/bin/sh' };
      const [ready, ended] = [join(own, 'ready.json'), join(own, 'code')];
      const serve = `${node} ${script} serve --ephemeral --port 0 --ready-file ${ready}`;
      const lines = `trap 'kill -HUP $pid' HUP; ${serve} & pid=$!; wait $pid; wait $pid; echo $? > ${ended}`;
      const stdio = ['pipe', 'pipe', 'ignore'] as const;
      const terminal = spawn('script', ['-q', '-c', lines, '/dev/null'], { env, stdio: [...stdio] });
      onTestFinished(() => void terminal.kill('SIGKILL'));
      terminal.stdout.resume();
      const contentOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
      await expect.poll(() => contentOf(ready)).toContain('ready');
      terminal.kill('SIGKILL');
      await expect.poll(() => contentOf(ended)).toBe('129\n');
      expect(left(own)).toEqual([]);
    },
  );

  it('is not kept from stopping by a log that nobody reads', async () => {
    const { process: child, server } = await startServeProcess({ stderr: 'pipe' });
    const caller = new Caller(server);
    const target = `/nowhere/${'x'.repeat(8000)}`;
    const refusals = Array.from({ length: 100 }, () => caller.send('GET', target, { auth: 'none' }));
    expect(new Set((await Promise.all(refusals)).map(({ status }) => status))).toEqual(new Set([401]));
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
  });
});
