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

function check(signature: string, args: readonly string[], timestamp = '1700000000') {
  const flags = ['--check', signature, ...args, '--timestamp', timestamp];
  return runCli(['sign', ...flags], { env: environment() });
}

function digest(canonical: string, key = secret): Buffer {
  return createHmac('sha256', key).update(canonical).digest();
}

function hex(canonical: string, key?: string): string {
  return digest(canonical, key).toString('hex');
}

const get = ['GET', '/quotas?a=b'];
const canonicalGet = 'GET\n/v1/quotas?a=b\n1700000000\n\n';
const body = '{"a": 1}\n';
const post = ['POST', '/x', '-d', body];
const canonicalPost = `POST\n/v1/x\n1700000000\napplication/json\n${body}`;
const t = '1700000000';

// What the command line has to hand on for a mistake to be found; each mistake there is: test/signing/mistakes.test.ts.
const made: readonly [id: string, signature: string, args: readonly string[], timestamp?: string][] = [
  ['secret-newline', hex(canonicalGet, `${secret}\n`), get],
  ['milliseconds', hex(`GET\n/v1/quotas?a=b\n${t}123\n\n`), get, `${t}123`],
  ['full-url', hex(canonicalGet.replace('/v1', 'https://api.example.com/v1')), get],
  ['charset', hex(canonicalPost), [...post, '--content-type', 'application/json; charset=utf-8']],
  ['body-compact', hex(canonicalPost.replace(body, '{"a":1}')), post],
  ['base-path-missing', hex(canonicalGet.replace('/v1', '')), get],
  ['key-id-as-secret', hex(canonicalGet, 'key_a'), get],
];

describe('sign --check', () => {
  it.each([
    [get, canonicalGet],
    [post, canonicalPost],
    [['POST', '/x', '--content-type', 'text/plain'], `POST\n/v1/x\n${t}\n\n`],
  ])('finds the signature of %j right', async (args, canonical) => {
    expect(await check(hex(canonical), args)).toEqual({
      code: 0,
      stdout: 'the signature matches\n',
      stderr: '',
    });
    const { code, stdout } = await check(hex(canonical), [...args, '-o', 'json']);
    expect({ code, value: JSON.parse(stdout) }).toEqual({ code: 0, value: { matches: true } });
  });

  it.each(made)('names the mistake %s (%s)', async (id, signature, args, timestamp) => {
    const ended = await check(signature, [...args, '-o', 'json'], timestamp);
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.stdout)).toMatchObject({ matches: false, mistake: { id } });
    const known = knownMistakes.filter((one) => one.id === id);
    expect(errorOf(ended)).toMatchObject({
      code: 'unauthenticated',
      message: `no match: ${describeMistakes(known)}`,
      hint: known[0]?.advice,
    });
  });

  it.each([
    [
      'trailing-slash',
      hex(canonicalGet.replace('quotas', 'quotas/')),
      [{ part: 'target', from: '/v1/quotas/?a=********', to: '/v1/quotas?a=********' }],
    ],
    ['secret-unset', hex(canonicalGet, ''), [{ part: 'secret' }]],
  ])('says for programs what to correct: %s', async (id, signature, corrections) => {
    const { stdout } = await check(signature, [...get, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ mistake: { id }, corrections });
  });

  it('names two mistakes made together, and what to change about both', async () => {
    const signature = hex(canonicalGet.replace('/v1', '').trimEnd());
    const ended = await check(signature, [...get, '-o', 'json']);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      matches: false,
      mistake: { id: 'base-path-missing+trailing-lines-lost' },
    });
    expect(errorOf(ended)['hint']).toMatch(/sign the whole path .*; join all five values/);
  });

  it.each([
    ['zzz', '3 characters instead of 64'],
    ['', '0 characters instead of 64'],
  ])('calls %j malformed', async (signature, message) => {
    const ended = await check(signature, [...get, '-o', 'json']);
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.stdout)).toMatchObject({ matches: false, mistake: { id: 'malformed' } });
    expect(errorOf(ended)['message']).toBe(`no match: not a valid signature: ${message}`);
  });

  it('says so where no known mistake fits', async () => {
    const ended = await check('ab'.repeat(32), [...get, '-o', 'json']);
    expect(ended.code).toBe(4);
    expect(JSON.parse(ended.stdout)).toEqual({ matches: false });
    expect(errorOf(ended)['message']).toContain('wrong secret, or different data was');
  });

  it.each([...made.slice(0, 1), ['none', 'zz', get] as const])(
    'never shows the right signature or the secret (%s)',
    async (_id, signature, args, timestamp) => {
      const right = hex(args === get ? canonicalGet : canonicalPost);
      for (const flags of [[], ['-o', 'json'], ['-v']]) {
        const { stdout, stderr } = await check(signature, [...args, ...flags], timestamp);
        const said = `${stdout}${stderr}`.toLowerCase();
        expect(said).not.toContain(right);
        expect(said).not.toContain(secret);
      }
    },
  );

  it('shows people what is to be signed', async () => {
    const { stdout, stderr } = await check('00'.repeat(32), get);
    expect(stdout).toContain('  GET⏎\n  /v1/quotas?a=b⏎\n  1700000000⏎\n  ⏎\n');
    expect(stderr).toMatch(/^error: no match: .*\nhint: .*orgctl help signing\n$/);
  });

  it('needs the timestamp that was signed, and takes no format', async () => {
    const args = ['sign', '--check', 'ab', 'GET', '/x', '-o', 'json'];
    const without = await runCli(args, { env: environment() });
    expect(without).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(without)['message']).toContain('--check needs the signed timestamp');
    const both = await runCli([...args, '--timestamp', t, '--format', 'curl'], { env: environment() });
    expect(both).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(both)['message']).toContain('cannot be combined');
  });
});
