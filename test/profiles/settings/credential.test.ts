import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../../src/errors/errors.js';
import { rejection, type SettingsPlace, settingsOf } from '../support/settings-of.js';

const secret = `${'f'.repeat(60)}abcd`;
const prod = { baseUrl: 'https://api.example.com/v1', keyId: 'key_prod', secret };
const file = { version: 1, current: 'prod', profiles: { prod } };
const serveShell = {
  ORGCTL_BASE_URL: 'https://127.0.0.1:8443',
  ORGCTL_KEY_ID: 'key_local',
  ORGCTL_SECRET: 'other',
};

const stored = { keyId: 'key_prod', secret };
const elsewhere = 'https://elsewhere.example.com';
const others = { ORGCTL_SECRET: 'other' };
const named = { profile: 'prod' };
const other = { keyId: 'key_prod', secret: 'other' };
const choosing = { ...serveShell, ORGCTL_PROFILE: 'prod' };

describe('a credential is given by', () => {
  test.each<[string, SettingsPlace, { keyId: string; secret: string }]>([
    ['the profile alone', {}, stored],
    ['the same key ID from a flag', { flags: { keyId: 'key_prod' } }, stored],
    ['the same key ID from the environment', { env: { ORGCTL_KEY_ID: 'key_prod' } }, stored],
    ['another key ID with it', { flags: { keyId: 'key_b' }, env: others }, { ...other, keyId: 'key_b' }],
    ['another origin with it', { flags: { baseUrl: elsewhere }, env: others }, other],
    ['the same origin, spelled otherwise', { flags: { baseUrl: 'HTTPS://API.example.com:443/v2' } }, stored],
    [
      'a profile named by --profile, whatever the environment says',
      { flags: named, env: serveShell },
      stored,
    ],
    [
      'the same, and elsewhere the environment',
      { flags: { ...named, baseUrl: elsewhere }, env: others },
      other,
    ],
    ['the environment where it names the profile, too', { env: choosing }, { ...other, keyId: 'key_local' }],
    ['another origin with --allow-host', { flags: { baseUrl: elsewhere, allowHost: true } }, stored],
  ])('%s', async (_what, place, credential) => {
    expect(await (await settingsOf({ file, ...place })).credential()).toEqual(credential);
  });

  test.each([
    ['s\n', 's'],
    ['s\r\n', 's'],
  ])('ORGCTL_SECRET less one trailing newline: %j', async (newline, kept) => {
    const settings = await settingsOf({ file, env: { ORGCTL_SECRET: newline } });
    expect((await settings.credential()).secret).toBe(kept);
  });

  test('flags and environment without any base URL, as signing offline needs', async () => {
    const place = { flags: { keyId: 'key_a' }, env: { ORGCTL_SECRET: 's' }, file: 'broken' };
    expect(await (await settingsOf(place)).credential()).toEqual({ keyId: 'key_a', secret: 's' });
  });
});

const plainly = { flags: { baseUrl: 'http://localhost:8443' }, env: { ORGCTL_PROFILE: 'local' } };

describe.each(['secret', 'secretCommand'])('a stored %s is not used with', (source) => {
  test.each<[string, SettingsPlace, readonly string[]]>([
    [
      'another key ID from a flag',
      { flags: { keyId: 'key_b' } },
      ['key_b (--key-id)', '"prod" is for key_prod'],
    ],
    [
      'another one from the environment',
      { env: { ORGCTL_KEY_ID: 'key_b' } },
      ['ORGCTL_KEY_ID', 'profile "prod"'],
    ],
    ['another key ID with --allow-host', { flags: { keyId: 'key_b', allowHost: true } }, ['--key-id']],
    ['another host', { flags: { baseUrl: elsewhere } }, ['--base-url', elsewhere, 'https://api.example.com']],
    ['another port', { flags: { baseUrl: 'https://api.example.com:444/v1' } }, ['--base-url']],
    ['a host that begins alike', { flags: { baseUrl: 'https://api.example.com.evil.org' } }, ['--base-url']],
    ['another scheme', plainly, ['http://localhost:8443', 'https://localhost:8443']],
  ])('%s', async (_what, place, told) => {
    const own = { ...prod, secret: undefined, [source]: secret };
    const profiles = { prod: own, local: { ...own, baseUrl: 'https://localhost:8443' } };
    const error = await rejection((await settingsOf({ ...place, file: { ...file, profiles } })).service());
    expect(error).toBeInstanceOf(ConfigError);
    for (const name of told) expect(error).toHaveProperty('message', expect.stringContaining(name));
    expect(error).toHaveProperty('details.hint', expect.stringContaining('ORGCTL_SECRET'));
    expect(JSON.stringify([error, String(error)])).not.toContain(secret);
  });
});

test('a secret that was typed as the key ID is not repeated', async () => {
  for (const place of [
    { file, flags: { keyId: secret } },
    { file, env: { ORGCTL_KEY_ID: secret } },
  ]) {
    const error = await rejection((await settingsOf(place)).credential());
    expect(String(error)).toContain('has the form of a secret');
    expect(String(error)).not.toContain(secret);
  }
});

test.each([
  ['\n', 'is empty'],
  ['hidden-text\uFFFD', 'contains U+FFFD'],
  ['\uFEFF', 'is empty'],
])('a variable that holds %j is no secret', async (text, what) => {
  const error = await rejection((await settingsOf({ file, env: { ORGCTL_SECRET: text } })).credential());
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(`ORGCTL_SECRET: the secret ${what}`);
  expect(String(error)).not.toContain('hidden-text');
});

const odd: readonly string[] = ['hidden-text\n\n', ' hidden-text', '"hidden-text"', '\u2060hidden-text'];

describe.each(odd)('a secret that is %j', (text) => {
  const path = join(tmpdir(), `orgctl-odd-${randomUUID()}`);
  const stored = { version: 1, current: 'p', profiles: { p: { ...prod, secret: text } } };
  const printed = { ...prod, secret: undefined, secretCommand: ['printf', '%s', text] };
  const cases: readonly (readonly [string, SettingsPlace])[] = [
    ['a variable', { file, env: { ORGCTL_SECRET: text } }],
    ['a file', { file, env: { ORGCTL_SECRET_FILE: path } }],
    ['a profile', { file: stored }],
    ['a command', { file: { ...stored, profiles: { p: printed } }, env: { PATH: process.env['PATH'] } }],
  ];
  test.each(cases)('from %s is refused, and not quoted', async (where, place) => {
    if (where === 'a file') {
      writeFileSync(path, text, { mode: 0o600 });
      onTestFinished(() => rmSync(path));
    }
    const error = await rejection((await settingsOf(place)).credential());
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain('includes quotes, or begins or ends with');
    expect(String(error)).not.toContain('hidden-text');
  });
});

