import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownMistakes } from '../../src/signing/index.js';
import { describeMistakes } from '../../src/signing/mistakes/mistake.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { environmentOf } from './support/doctor.js';

const secret = '0123456789abcdef'.repeat(4);
const environment = () => environmentOf('https://api.example.com/v1', { ORGCTL_SECRET: secret });
const at = ['--timestamp', '1700000000'];

function sign(args: readonly string[], options: Parameters<typeof runCli>[1] = {}) {
  return runCli(['sign', ...args], { env: environment(), ...options });
}

function hmac(canonical: string | Buffer, key = secret): string {
  return createHmac('sha256', key).update(canonical).digest('hex');
}

it.each<[string, readonly string[], Record<string, string>, number]>([
  ['--key-id', ['--key-id', secret], {}, 2],
  ['ORGCTL_KEY_ID', [], { ORGCTL_KEY_ID: secret }, 3],
])('a secret in %s is neither sent as a key ID nor printed', async (_name, flags, variables, code) => {
  const peer = await hostilePeer(() => httpAnswer(401));
  const env = environmentOf(peer.origin, { ORGCTL_SECRET: secret, ...variables });
  const lines = ['sign GET /x', 'quotas', 'quotas --auth basic -v', 'proxy --sign -- true'];
  for (const line of lines) {
    const ended = await runCli([...flags, ...line.split(' ')], { env });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining('form of a secret') });
    expect(ended.stderr).not.toContain(secret);
  }
  expect(peer.connections).toBe(0);
});

describe('sign', () => {
  it('explains: canonical string with line ends visible, headers, curl', async () => {
    const { code, stdout, stderr } = await sign(['post', '/x?a=b', '-d', '{"a":\r\n1}\n', ...at]);
    const signature = hmac('POST\n/v1/x?a=b\n1700000000\napplication/json\n{"a":\r\n1}\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`Canonical string (53 bytes; ⏎ is a line feed, ␍ a carriage return):
  POST⏎
  /v1/x?a=b⏎
  1700000000⏎
  application/json⏎
  {"a":␍⏎
  1}⏎

Headers:
  X-API-Key: key_a
  X-API-Timestamp: 1700000000
  X-API-Signature: ${signature}
  Content-Type: application/json

curl:
printf '{"a":\\015\\0121}\\012' | curl --silent --show-error --globoff --path-as-is --request POST 'https://api.example.com/v1/x?a=b' \\
  --header 'X-API-Key: key_a' \\
  --header 'X-API-Timestamp: 1700000000' \\
  --header 'X-API-Signature: ${signature}' \\
  --header 'Content-Type: application/json' \\
  --data-binary @-
`);
  });

  it('warns of a timestamp in milliseconds, and signs it as typed', async () => {
    const args = ['GET', '/x', '--timestamp', '1700000000123', '--format', 'headers', '--quiet'];
    const { code, stdout, stderr } = await sign(args);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'warning: --timestamp 1700000000123 is in milliseconds, but the service expects seconds: 1700000000\n',
    });
    expect(stdout).toContain(hmac('GET\n/v1/x\n1700000000123\n\n'));
  });

  it('is data with --format json and -o json, with the fields of the body', async () => {
    const run = (...flags: string[]) => sign(['POST', '/x', '-f', 'a=b', ...at, ...flags]);
    const { stdout } = await run('-o', 'json');
    const canonicalString = 'POST\n/v1/x\n1700000000\napplication/json\n{"a":"b"}';
    expect(JSON.parse(stdout)).toEqual({
      method: 'POST',
      url: 'https://api.example.com/v1/x',
      target: '/v1/x',
      canonicalString,
      headers: {
        'X-API-Key': 'key_a',
        'X-API-Timestamp': '1700000000',
        'X-API-Signature': hmac(canonicalString),
        'Content-Type': 'application/json',
      },
      body: '{"a":"b"}',
    });
    expect((await run('--format', 'json')).stdout).toBe(stdout);
  });

  it('signs a body of any bytes, from a file and from stdin', async () => {
    const body = Buffer.from([0xff, 0x00, 0x0a]);
    const path = join(temporaryDirectory(), 'body');
    writeFileSync(path, body);
    const canonical = Buffer.concat([Buffer.from('PUT\n/v1/x\n1700000000\nimage/png\n'), body]);
    const args = ['PUT', '/x', '--content-type', 'image/png', ...at];
    const ended = await sign([...args, '-d', '-', '-o', 'json'], { stdin: body });
    const value = JSON.parse(ended.stdout);
    expect(value.headers['X-API-Signature']).toBe(hmac(canonical));
    expect(value).toMatchObject({
      bodyBase64: body.toString('base64'),
      canonicalStringBase64: canonical.toString('base64'),
    });
    const explained = await sign([...args, '-d', `@${path}`]);
    expect(explained.stdout).toContain('\\xff');
  });

  it('shows no control character raw on a terminal', async () => {
    const { stdout } = await sign(['POST', '/x', '-d', '\u001b[31m\u202e', ...at], { isTTY: true });
    expect(stdout).toContain('\\u{1b}[31m\\u{202e}');
    for (const raw of ['\u001b', '\u202e']) expect(stdout).not.toContain(raw);
  });

  it('needs a credential, and no address', async () => {
    const { ORGCTL_BASE_URL: _url, ...env } = environment();
    const ended = await sign(['GET', '/quotas', ...at, '-o', 'json'], { env });
    expect(JSON.parse(ended.stdout)).toMatchObject({ target: '/quotas' });
    expect(JSON.parse(ended.stdout)).not.toHaveProperty('url');
    const without = await sign(['GET', '/quotas', '-o', 'json'], { env: emptyEnvironment() });
    expect(without).toMatchObject({ code: 3, stdout: '' });
  });

  it('says that Basic signs nothing', async () => {
    const { stdout } = await sign(['GET', '/quotas', '--auth', 'basic']);
    expect(stdout).toMatch(/^Basic mode signs nothing/);
    const basic = Buffer.from(`key_a:${secret}`).toString('base64');
    expect(stdout).toContain(`  Authorization: Basic ${basic}\n`);
  });

  it.each([
    [['GIT', '/x'], '"GIT" is not a method'],
    [['GET', 'quotas'], 'is not a path below the base URL'],
    [['GET', '/x', '--timestamp', 'now'], 'not Unix time in seconds'],
    [['POST', '/x', '--content-type', ' '], 'not a valid header value'],
    [['POST', '/x', '-f', 'b'], 'not of the form name=value'],
    [['POST', '/x', '-d', '@/no/such/file'], 'no such file or directory'],
  ])('refuses %j', async (args, message) => {
    const ended = await sign([...args, '-o', 'json']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(ended)['message']).toContain(message);
  });
});

async function check(signature: string, args: readonly string[], timestamp = '1700000000') {
  const flags = ['--check', signature, ...args, '--timestamp', timestamp];
  const run = (...more: string[]) => sign([...flags, ...more]);
  const [ended, verbose, asJson] = [await run(), await run('-v'), await run('-o', 'json')];
  const said = [ended, verbose, asJson]
    .map(({ stdout, stderr }) => stdout + stderr)
    .join()
    .toLowerCase();
  expect(said).not.toContain(secret);
  return { ended, asJson, value: JSON.parse(asJson.stdout), said };
}

const get = ['GET', '/quotas?a=b'];
const canonicalGet = 'GET\n/v1/quotas?a=b\n1700000000\n\n';
const body = '{"a": 1}\n';
const post = ['POST', '/x', '-d', body];
const canonicalPost = `POST\n/v1/x\n1700000000\napplication/json\n${body}`;

describe('sign --check', () => {
  it.each([
    [get, canonicalGet],
    [post, canonicalPost],
    [['POST', '/x', '--content-type', 'text/plain'], 'POST\n/v1/x\n1700000000\n\n'],
    [[...post, '--content-type', ''], canonicalPost.replace('application/json', '')],
  ])('finds the signature of %j right', async (args, canonical) => {
    const { ended, value } = await check(hmac(canonical), args);
    expect(ended).toEqual({ code: 0, stdout: 'the signature matches\n', stderr: '' });
    expect(value).toEqual({ matches: true });
  });

  // What the command line has to hand on for a mistake to be found; each mistake there is: test/signing/mistakes.test.ts.
  it.each<[id: string, signature: string, args: string[], timestamp?: string]>([
    ['secret-newline', hmac(canonicalGet, `${secret}\n`), get],
    ['milliseconds', hmac('GET\n/v1/quotas?a=b\n1700000000123\n\n'), get, '1700000000123'],
    ['charset', hmac(canonicalPost), [...post, '--content-type', 'application/json; charset=utf-8']],
    ['base-path-missing', hmac(canonicalGet.replace('/v1', '')), get],
  ])('names the mistake %s, and shows no right signature', async (id, signature, args, timestamp) => {
    const { asJson, value, said } = await check(signature, args, timestamp);
    expect(value).toMatchObject({ matches: false, mistake: { id } });
    const known = knownMistakes.filter((one) => one.id === id);
    const message = `no match: ${describeMistakes(known)}`;
    expect(errorOf(asJson)).toMatchObject({
      ...{ code: 'unauthenticated', exitCode: 4, message, hint: known[0]?.advice },
    });
    if (args === get) expect(said).not.toContain(hmac(canonicalGet));
  });

  it.each([
    ['zzz', 'no match: not a valid signature: 3 characters instead of 64'],
    ['', 'no match: not a valid signature: 0 characters instead of 64'],
    ['ab'.repeat(32), 'wrong secret, or the request differs'],
  ])('shows people what is to be signed where no known mistake fits: %j', async (signature, message) => {
    const { ended, said } = await check(signature, get);
    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain('  GET⏎\n  /v1/quotas?a=b⏎\n  1700000000⏎\n  ⏎\n');
    expect(ended.stderr).toMatch(/^error: no match: .*\nhint: .*\n$/);
    expect(ended.stderr).toContain(message);
    expect(said).not.toContain(hmac(canonicalGet));
  });

  it('needs the timestamp that was signed, and takes no format', async () => {
    const args = ['sign', '--check', 'ab', 'GET', '/x', '-o', 'json'];
    const without = await runCli(args, { env: environment() });
    expect(without).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(without)['message']).toContain('--check needs the signed timestamp');
    const both = await runCli([...args, '--timestamp', '1', '--format', 'curl'], { env: environment() });
    expect(both).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(both)['message']).toContain('cannot be combined');
  });
});
