import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/signing/index.js';
import { codeBlock } from '../support/pages.js';
import {
  type Ended,
  emptyEnvironment,
  errorOf,
  runCli,
  startCli,
  temporaryDirectory,
} from '../support/run-cli.js';
import { type Ready, startServe } from './support/serve.js';

const node = process.execPath;
const script = (code: string, ...flags: string[]) => ['serve', ...flags, '--', node, '-e', code];

function file(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

/** Runs `orgctl` against a server that a test started. */
function client(ready: Ready, args: readonly string[], changes = {}): Promise<Ended> {
  const { url, keyId, secret, caFile } = ready;
  const environment = {
    ORGCTL_BASE_URL: url,
    ORGCTL_KEY_ID: keyId,
    ORGCTL_SECRET: secret,
    ORGCTL_CA_FILE: caFile,
  };
  return runCli(args, { env: { ...emptyEnvironment(), ...environment, ...changes } });
}

describe('serve tells on stderr', () => {
  it('of each refused request why, in aligned lines, and never the secret', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '-v']);
    const changes = { ORGCTL_SECRET: 'w'.repeat(64) };
    expect((await client(ready, ['quotas'], changes)).code).toBe(4);
    expect((await client(ready, ['quotas'])).code).toBe(0);
    expect((await client(ready, ['request', 'GET', '/nothing'])).code).toBe(6);
    const { stderr } = await stop();
    const lines = stderr.trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}401 {2}GET /quotas {3}${ready.keyId}$`)),
      expect.stringMatching(/^ {15}✗ wrong secret, or different data/),
      expect.stringMatching(/^ {15} {2}expected: GET\\n\/quotas\\n\d+\\n\\n$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}404 {2}GET \/nothing {3}key_\w+$/),
      `${' '.repeat(15)}✗ the API has no path /nothing`,
    ]);
    expect(stderr).not.toContain(ready.secret);
    expect(stderr).not.toContain('wwww');
  });

  it('what its page shows', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--http']);
    const send = async (signed: string, sent: string, age: number) => {
      const timestamp = String(Math.floor(Date.now() / 1000) - age);
      const request = { method: 'GET', target: signed, timestamp, contentType: '', body: Buffer.alloc(0) };
      expect((await fetch(`${ready.url}${sent}`, { headers: signedHeaders(ready, request) })).status).toBe(
        401,
      );
    };
    await send('/quotas', '/quotas?limit=5', 0);
    await send('/quotas', '/quotas', 600);
    const page = codeBlock('docs/guides/local-service.md', '12:04:05  401');
    const { stderr } = await stop();
    // The age is read later than the timestamp was made, and may be a second more.
    const alike = (text: string) =>
      text
        .trim()
        .replace(/^\d\d:\d\d:\d\d|key_\w+|\d{10}|\d+(?= seconds behind)/gm, (varying) =>
          varying.replace(/\w+/g, 'X'),
        );
    expect(alike(stderr)).toBe(alike(page));
  });

  it('nothing of that with --quiet', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--quiet']);
    expect((await client(ready, ['request', 'GET', '/nothing'])).code).toBe(6);
    expect((await stop()).stderr).toBe('');
  });

  it('of every request as JSON with --log json', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--log', 'json']);
    await client(ready, ['quotas']);
    await client(ready, ['request', 'GET', '/nothing']);
    const lines = (await stop()).stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { event: 'request', method: 'GET', target: '/quotas', status: 200, keyId: ready.keyId },
      {
        event: 'request',
        target: '/nothing',
        status: 404,
        check: 'route',
        reason: expect.stringContaining('no path'),
      },
    ]);
  });

  it('of what is no HTTP request', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--http']);
    const { hostname, port } = new URL(ready.url);
    const socket = connect(Number(port), hostname, () => socket.end('\u001b[31m\r\n\r\n'));
    await once(socket.resume(), 'close');
    const { stderr } = await stop();
    expect(stderr).toMatch(
      /^\d\d:\d\d:\d\d {2}400 {2}- -\n {15}✗ it is not an HTTP request within the limits \(HPE_INVALID_\w+\)\n$/,
    );
  });

  it('what a client wrote without what could steer the terminal', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '-v']);
    const body = JSON.stringify({ name: 'a', ['\u001b[31m\u202e']: 1, type: 'pg', config: {} });
    await client(ready, ['request', 'POST', '/connections', '-d', body], { ORGCTL_SECRET: 'w'.repeat(64) });
    const { stderr } = await stop();
    expect(stderr).toContain('202e');
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toContain('\u202e');
  });
});

describe('serve tries clients with', () => {
  it('faults', async () => {
    const { ready, stop } = await startServe([
      '--ephemeral',
      '--fault',
      'GET /quotas=503x1',
      '--fault',
      'GET /teams=429:7s',
    ]);
    const failed = await client(ready, ['quotas', '--retries', '0', '-o', 'json']);
    expect(errorOf(failed)).toMatchObject({ code: 'server', status: 503 });
    expect((await client(ready, ['quotas'])).code).toBe(0);
    const limited = await client(ready, ['teams', 'list', '--retries', '0', '-o', 'json']);
    expect(errorOf(limited)).toMatchObject({ code: 'rate_limited', retryAfter: 7 });
    expect((await stop()).stderr).toContain('503 ');
  });

  it('a rate limit', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--rate-limit', '1/1h']);
    expect((await client(ready, ['quotas'])).code).toBe(0);
    const limited = await client(ready, ['quotas', '--retries', '0', '-o', 'json']);
    expect(errorOf(limited)).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) });
    expect((await stop()).stderr).toContain('✗ more than 1 request in 1h; retry in ');
  });

  it.each([
    ['--clock-offset', '-10m'],
    ['--clock-offset=10m', '--quiet'],
  ])('a clock that is off: %s %s', async (...flags) => {
    const { ready, stop } = await startServe(['--ephemeral', ...flags]);
    const corrected = await client(ready, ['quotas']);
    expect(corrected.code).toBe(0);
    expect(corrected.stderr).toMatch(/10m|600|clock/);
    await stop();
  });

  it('another tolerance', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--clock-offset', '-10m', '--max-skew', '11m']);
    const { code, stderr } = await client(ready, ['quotas']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await stop();
  });

  it.each([
    [['--fault', 'nonsense'], 'METHOD /path=EFFECT'],
    [['--fault', 'GET /x=503', '--fault', 'GET /x=soon'], 'unknown effect soon'],
    [['--rate-limit', '5'], 'number/duration'],
    [['--rate-limit', '0/1m'], 'number/duration'],
    [['--rate-limit', '5/minute'], '100/1m'],
    [['--rate-limit', '5/0s'], 'number/duration'],
    [['--clock-offset', 'late'], 'not a duration'],
    [['--clock-offset', '-999999h'], '1970'],
    [['--max-skew', '-5m'], 'not a duration'],
    [['--log', 'xml'], 'text or json'],
    [['--seed', '/nothing/there.json'], 'no such file'],
    [['--ready-file', '/nothing/there.json'], '/nothing/there.json'],
  ])('refuses %j', async (args, message) => {
    const ended = await runCli(['serve', '--ephemeral', '--port', '0', ...args]);
    expect(ended.stderr).toContain(message);
    expect(ended.code).toBe(2);
  });
});

describe('serve --ready-file', () => {
  it('writes the ready line for its owner alone, and removes it at the end', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'ready.json');
    const { ready, stop } = await startServe(['--ephemeral', '--ready-file', path]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ready);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['ready.json']);
    await stop();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('takes the place of an old one, and leaves the one of another server alone', async () => {
    const path = file('ready.json', 'of an earlier server, readable by all');
    const { ready, stop } = await startServe(['--ephemeral', '--ready-file', path]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ready);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, 'of a later server');
    await stop();
    expect(readFileSync(path, 'utf8')).toBe('of a later server');
  });

  it('is there while a command runs, and gone afterwards', async () => {
    const path = join(temporaryDirectory(), 'ready.json');
    const code = `console.log(JSON.parse(require('node:fs').readFileSync(${JSON.stringify(path)})).event)`;
    expect((await runCli(script(code, '--ready-file', path))).stdout).toBe('ready\n');
    expect(existsSync(path)).toBe(false);
  });

  it('that cannot be written leaves nothing running and nothing behind', async () => {
    const path = join(temporaryDirectory(), 'taken');
    mkdirSync(join(path, 'by'), { recursive: true });
    const ended = await runCli(['serve', '--ephemeral', '--port', '0', '--ready-file', path]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('--ready-file');
    expect(readdirSync(join(path, '..'))).toEqual(['taken']);
  });
});

describe('serve -- command', () => {
  it('lets the command steer the server', async () => {
    const code = `
      const { ORGCTL_CONTROL_URL: url, ORGCTL_CONTROL_TOKEN: token } = process.env;
      const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
      fetch(url + '/clock', { method: 'PUT', headers, body: '{"time":"2030-01-01T00:00:00Z"}' })
        .then((response) => response.json())
        .then(({ time }) => console.log(time.slice(0, 10)));`;
    expect(await runCli(script(code, '--http'))).toMatchObject({ code: 0, stdout: '2030-01-01\n' });
  });

  it('tells the control token in the ready line', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--http']);
    const headers = { authorization: `Bearer ${ready.controlToken}` };
    expect((await fetch(`${ready.url}/_control/clock`, { headers })).status).toBe(200);
    expect(ready).not.toHaveProperty('console');
    await stop();
  });

  it('has no management console, unless its port is given', async () => {
    const code = `fetch(process.env.ORGCTL_CONTROL_URL + '/status', {
        headers: { authorization: 'Bearer ' + process.env.ORGCTL_CONTROL_TOKEN },
      })
        .then((response) => response.json())
        .then((status) => console.log(status.console));`;
    expect(await runCli(script(code, '--http'))).toMatchObject({ code: 0, stdout: 'undefined\n' });
    const given = await runCli(script(code, '--http', '--console-port', '0'));
    expect(given).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/) });
  });

  it('does not pass on the Ctrl-C of a terminal, which reaches the command by itself', async () => {
    const marks = join(temporaryDirectory(), 'signals');
    const code = `
      const { appendFileSync } = require('node:fs');
      process.on('SIGINT', () => appendFileSync(${JSON.stringify(marks)}, 'I'));
      setTimeout(() => process.exit(5), 500);
      console.log('waiting');`;
    const { system, ended } = startCli(script(code), { isTTY: { stderr: true } });
    await expect.poll(() => system.stdoutText(), { timeout: 10_000 }).toContain('waiting');
    system.raise('SIGINT');
    expect((await ended).code).toBe(5);
    expect(existsSync(marks)).toBe(false);
  });
});

describe('the console from the terminal', () => {
  it('has a fresh link for r and Enter, and keeps its own apart', async () => {
    // Where terminals have no jobs, each program may read.
    const options = { isTTY: true, platform: 'win32' } as const;
    const { system, ended } = startCli(['serve', '--ephemeral', '--port', '0', '--no-profile'], options);
    await expect.poll(() => system.stderrText(), { timeout: 10_000 }).toContain('Ctrl-C stops it.');
    const links = () => system.stderrText().match(/^Console: http:\/\/127\.0\.0\.1:\d+\/#t=\S+$/gm) ?? [];
    expect(links()).toHaveLength(1);
    expect(system.stderrText()).toContain('\nType o and Enter to open it, r and Enter for a fresh link.\n');
    system.type('x\nr\n');
    await expect.poll(links).toHaveLength(2);
    expect(new Set(links()).size).toBe(2);
    system.raise('SIGINT');
    expect((await ended).code).toBe(130);
  });
});
