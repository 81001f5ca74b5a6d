import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/signing/index.js';
import { codeBlock } from '../support/pages.js';
import { errorOf, temporaryDirectory } from '../support/run-cli.js';
import { runWith, startServe } from './support/serve.js';

const wrongSecret = { ORGCTL_SECRET: 'w'.repeat(64) };

describe('serve tells on stderr', () => {
  it('of each refused request why, in aligned lines, and never the secret', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--http', '-v']);
    expect((await runWith(ready, ['quotas'], wrongSecret)).code).toBe(4);
    expect((await runWith(ready, ['quotas'])).code).toBe(0);
    expect((await runWith(ready, ['request', 'GET', '/nothing'])).code).toBe(6);
    const { hostname, port } = new URL(ready.url);
    const socket = connect(Number(port), hostname, () => socket.end('\u001b[31m\r\n\r\n'));
    await once(socket.resume(), 'close');
    const { stderr } = await stop();
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}401 {2}GET /quotas {3}${ready.keyId}$`)),
      expect.stringMatching(/^ {15}✗ wrong secret, or the request differs/),
      expect.stringMatching(/^ {15} {2}expected: GET\\n\/quotas\\n\d+\\n\\n$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}404 {2}GET \/nothing {3}key_\w+$/),
      `${' '.repeat(15)}✗ the API has no path /nothing`,
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}400 {2}- -$/),
      expect.stringMatching(/^ {15}✗ it is not an HTTP request within the limits \(HPE_INVALID_METHOD\)$/),
    ]);
    expect(stderr).not.toContain(ready.secret);
    expect(stderr).not.toContain('wwww');
  });

  it('what its page shows', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--http']);
    const send = async (signed: string, sent: string, age: number) => {
      const timestamp = String(Math.floor(Date.now() / 1000) - age);
      const request = { method: 'GET', target: signed, timestamp, contentType: '', body: Buffer.alloc(0) };
      const headers = signedHeaders(ready, request);
      expect((await fetch(`${ready.url}${sent}`, { headers })).status).toBe(401);
    };
    await send('/quotas', '/quotas?limit=5', 0);
    await send('/quotas', '/quotas', 600);
    const page = codeBlock('docs/guides/local-service.md', '12:04:05  401');
    const { stderr } = await stop();
    // The age is read later than the timestamp was made, and may be a second more.
    const varying = /^\d\d:\d\d:\d\d|key_\w+|\d{10}|\d+(?= seconds behind)/gm;
    const alike = (text: string) => text.trim().replace(varying, (each) => each.replace(/\w+/g, 'X'));
    expect(alike(stderr)).toBe(alike(page));
  });

  it('of every request as JSON with --log json, and only errors with --quiet', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '--log', 'json']);
    await runWith(ready, ['quotas']);
    await runWith(ready, ['request', 'GET', '/nothing']);
    const lines = (await stop()).stderr.trim().split('\n');
    const refused = { check: 'route', reason: expect.stringContaining('no path') };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'request', method: 'GET', target: '/quotas', status: 200, keyId: ready.keyId },
      { event: 'request', target: '/nothing', status: 404, ...refused },
    ]);
    const data = temporaryDirectory();
    const quiet = await startServe(['--data', data, '--quiet']);
    expect((await runWith(quiet.ready, ['request', 'GET', '/nothing'])).code).toBe(6);
    rmSync(join(data, 'orgctl.db'));
    await runWith(quiet.ready, ['teams', 'create', '--name', 'a']);
    const { stderr } = await quiet.stop();
    expect(stderr).toMatch(/^\S+ {2}error: .*orgctl\.db was deleted, moved or replaced/);
    expect(stderr).not.toContain('404');
  });

  it('what a client wrote without what could steer the terminal', async () => {
    const { ready, stop } = await startServe(['--ephemeral', '-v']);
    const body = JSON.stringify({ name: 'a', ['\u001b[31m\u202e']: 1, type: 'pg', config: {} });
    await runWith(ready, ['request', 'POST', '/connections', '-d', body], wrongSecret);
    const { stderr } = await stop();
    expect(stderr).toContain('202e');
    for (const raw of ['\u001b', '\u202e']) expect(stderr).not.toContain(raw);
  });

  it('a clock that is off, and another tolerance', async () => {
    const off = await startServe(['--ephemeral', '--clock-offset', '-10m']);
    const corrected = await runWith(off.ready, ['quotas']);
    expect(corrected).toMatchObject({ code: 0, stderr: expect.stringMatching(/10m|600|clock/) });
    await off.stop();
    const near = await startServe(['--ephemeral', '--clock-offset=10m', '--max-skew', '11m']);
    expect(await runWith(near.ready, ['quotas'])).toMatchObject({ code: 0, stderr: '' });
    await near.stop();
  });
});

it('serve tries clients with faults and a rate limit', async () => {
  const faults = ['--fault', 'GET /quotas=503x1', '--fault', 'GET /teams=429:7s'];
  const { ready, stop } = await startServe(['--ephemeral', ...faults, '--rate-limit', '1/1h']);
  const run = (...args: string[]) => runWith(ready, [...args, '--retries', '0', '-o', 'json']);
  expect(errorOf(await run('quotas'))).toMatchObject({ code: 'server', status: 503 });
  expect(errorOf(await run('teams', 'list'))).toMatchObject({ code: 'rate_limited', retryAfter: 7 });
  expect((await run('quotas')).code).toBe(0);
  const limited = { code: 'rate_limited', retryAfter: expect.any(Number) };
  expect(errorOf(await run('quotas'))).toMatchObject(limited);
  const { stderr } = await stop();
  expect(stderr).toContain('503 ');
  expect(stderr).toContain('✗ more than 1 request in 1h; retry in ');
});
