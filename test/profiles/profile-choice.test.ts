import { describe, expect, test } from 'vitest';
import { ConfigError, UsageError } from '../../src/errors/errors.js';
import { rejection, type SettingsPlace, settingsOf } from './support/settings-of.js';

const profile = (name: string) => ({ baseUrl: `https://${name}`, keyId: `key_${name}`, secret: `s-${name}` });
const profiles = { prod: profile('prod'), staging: profile('staging'), constructor: profile('constructor') };
const file = { version: 1, current: 'prod', profiles };
const standAlone = { ORGCTL_BASE_URL: 'https://env', ORGCTL_KEY_ID: 'key_env', ORGCTL_SECRET: 's-env' };

describe('the profile in use', () => {
  const flags = { profile: 'constructor' };
  const env = { ORGCTL_PROFILE: 'staging' };
  const empty = { env: { ORGCTL_PROFILE: '' } };
  const ofFlag = { kind: 'flag', name: '--profile' };
  const ofVariable = { kind: 'env', name: 'ORGCTL_PROFILE' };
  const current = { kind: 'default' };

  test.each<[string, SettingsPlace, { name: string; source: object }]>([
    ['that of --profile first', { flags, env }, { name: 'constructor', source: ofFlag }],
    ['then that of ORGCTL_PROFILE', { env }, { name: 'staging', source: ofVariable }],
    ['then the current one, an empty ORGCTL_PROFILE being none', empty, { name: 'prod', source: current }],
  ])('is %s', async (_which, place, chosen) => {
    const { name } = chosen;
    const found = await (await settingsOf({ ...place, file })).profile();
    expect(found).toMatchObject({ ...chosen, profile: profile(name) });
  });

  test('is none when none is current', async () => {
    expect(await (await settingsOf({})).profile()).toBeUndefined();
    expect(await (await settingsOf({ file: { version: 1, profiles } })).profile()).toBeUndefined();
  });

  test('is none, and the file stays shut, when the environment stands alone', async () => {
    const settings = await settingsOf({ env: standAlone, file: 'broken' });
    expect(await settings.profile()).toBeUndefined();
    expect(await settings.service()).toEqual({
      baseUrl: { origin: 'https://env', prefix: '', href: 'https://env' },
      credential: { keyId: 'key_env', secret: 's-env' },
      auth: 'hmac',
      caFile: undefined,
      timeout: 30_000,
      deadline: 120_000,
      retries: 3,
      readOnly: false,
    });
  });

  test('is the named one also when the environment stands alone', async () => {
    const settings = await settingsOf({
      env: standAlone,
      flags: { profile: 'prod' },
      file: { ...file, profiles: { prod: { ...profiles.prod, readOnly: true, auth: 'basic' } } },
    });
    expect(await settings.service()).toMatchObject({ readOnly: true, auth: 'basic' });
  });

  test.each<[string, SettingsPlace]>([
    ['--profile', { flags: { profile: 'toString' } }],
    ['ORGCTL_PROFILE', { env: { ORGCTL_PROFILE: 'toString' } }],
    ['current profile', { file: { ...file, current: 'toString' } }],
  ])('of %s that nobody made is an error that lists the known ones', async (source, place) => {
    expect(await rejection((await settingsOf({ file, ...place })).profile())).toMatchObject({
      constructor: ConfigError,
      message: `profile "toString" not found (${source})`,
      details: { hint: expect.stringContaining('prod, staging, constructor') },
    });
  });

  test('has a name that fits', async () => {
    const asFlag = await rejection((await settingsOf({ flags: { profile: 'a b' } })).profile());
    expect(asFlag).toBeInstanceOf(UsageError);
    const asVariable = await rejection((await settingsOf({ env: { ORGCTL_PROFILE: 'a b' } })).profile());
    expect(asVariable).toBeInstanceOf(ConfigError);
  });
});

describe('without what a call needs', () => {
  test.each([
    [
      'how to make the first profile, and which variables do',
      undefined,
      /orgctl profile add NAME --base-url.*ORGCTL_SECRET/,
    ],
    ['which profiles there are when none is current', { version: 1, profiles }, /prod, staging, constructor/],
  ])('the error says %s', async (_what, file, hint) => {
    const error = await rejection((await settingsOf({ file })).service());
    expect(error).toMatchObject({ constructor: ConfigError, details: { hint: expect.stringMatching(hint) } });
  });

  test('a missing part is named', async () => {
    const noKey = await settingsOf({ flags: { baseUrl: 'https://a' }, env: { ORGCTL_SECRET: 's' } });
    expect(String(await rejection(noKey.service()))).toContain('no key ID is given');
    const noSecret = await settingsOf({ flags: { baseUrl: 'https://a', keyId: 'key_a' } });
    expect(String(await rejection(noSecret.service()))).toContain('no secret is given');
    expect(String(await rejection((await settingsOf({})).service()))).toContain('no base URL is given');
    const bare = { version: 1, current: 'p', profiles: { p: { baseUrl: 'https://a', keyId: 'key_a' } } };
    expect(await rejection((await settingsOf({ file: bare })).service())).toMatchObject({
      message: 'profile "p" has no secret',
      details: { hint: 'set ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET' },
    });
  });
});
