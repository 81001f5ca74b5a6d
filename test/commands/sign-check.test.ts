import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { knownMistakes } from '../../src/signing/index.js';
import { describeMistakes } from '../../src/signing/mistakes/attempt/signing-attempt.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';

const secret = '0123456789abcdef'.repeat(4);
const environment = () => ({
  ...emptyEnvironment(),
  ORGCTL_BASE_URL: 'https://api.example.com/v1',
  ORGCTL_KEY_ID: 'key_a',
  ORGCTL_SECRET: secret,
});

async function check(signature: string, args: readonly string[], timestamp = '1700000000') {
  const flags = ['--check', signature, ...args, '--timestamp', timestamp];
  const run = (...more: string[]) => runCli(['sign', ...flags, ...more], { env: environment() });
  const [ended, verbose, asJson] = [await run(), await run('-v'), await run('-o', 'json')];
  const said = [ended, verbose, asJson]
    .map(({ stdout, stderr }) => stdout + stderr)
    .join()
    .toLowerCase();
  expect(said).not.toContain(secret);
  return { ended, asJson, value: JSON.parse(asJson.stdout), said };
}

function hex(canonical: string, key = secret): string {
  return createHmac('sha256', key).update(canonical).digest('hex');
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
  ])('finds the signature of %j right', async (args, canonical) => {
    const { ended, value } = await check(hex(canonical), args);
    expect(ended).toEqual({ code: 0, stdout: 'the signature matches\n', stderr: '' });
    expect(value).toEqual({ matches: true });
  });

  // What the command line has to hand on for a mistake to be found; each mistake there is: test/signing/mistakes.test.ts.
  it.each<[id: string, signature: string, args: string[], timestamp?: string]>([
    ['secret-newline', hex(canonicalGet, `${secret}\n`), get],
    ['milliseconds', hex('GET\n/v1/quotas?a=b\n1700000000123\n\n'), get, '1700000000123'],
    ['full-url', hex(canonicalGet.replace('/v1', 'https://api.example.com/v1')), get],
    ['charset', hex(canonicalPost), [...post, '--content-type', 'application/json; charset=utf-8']],
    ['body-compact', hex(canonicalPost.replace(body, '{"a":1}')), post],
    ['base-path-missing', hex(canonicalGet.replace('/v1', '')), get],
    ['key-id-as-secret', hex(canonicalGet, 'key_a'), get],
  ])('names the mistake %s, and shows no right signature', async (id, signature, args, timestamp) => {
    const { asJson, value, said } = await check(signature, args, timestamp);
    expect(value).toMatchObject({ matches: false, mistake: { id } });
    const known = knownMistakes.filter((one) => one.id === id);
    const message = `no match: ${describeMistakes(known)}`;
    expect(errorOf(asJson)).toMatchObject({
      ...{ code: 'unauthenticated', exitCode: 4, message, hint: known[0]?.advice },
    });
    if (args === get) expect(said).not.toContain(hex(canonicalGet));
  });

  it('says for programs what to correct', async () => {
    const { value } = await check(hex(canonicalGet.replace('quotas', 'quotas/')), get);
    expect(value).toMatchObject({
      mistake: { id: 'trailing-slash' },
      corrections: [{ part: 'target', from: '/v1/quotas/?a=********', to: '/v1/quotas?a=********' }],
    });
  });

  it.each([
    ['zzz', 'no match: not a valid signature: 3 characters instead of 64'],
    ['', 'no match: not a valid signature: 0 characters instead of 64'],
    ['ab'.repeat(32), 'wrong secret, or different data was'],
  ])('shows people what is to be signed where no known mistake fits: %j', async (signature, message) => {
    const { ended, said } = await check(signature, get);
    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain('  GET⏎\n  /v1/quotas?a=b⏎\n  1700000000⏎\n  ⏎\n');
    expect(ended.stderr).toMatch(/^error: no match: .*\nhint: .*\n$/);
    expect(ended.stderr).toContain(message);
    expect(said).not.toContain(hex(canonicalGet));
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
