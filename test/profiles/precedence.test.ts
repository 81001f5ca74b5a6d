import { describe, expect, test } from 'vitest';
import { ConfigError, UsageError } from '../../src/errors/errors.js';
import type { Flags } from '../../src/profiles/settings/settings.js';
import { rejection, type SettingsPlace, settingsOf } from './support/settings-of.js';

type Setting = 'baseUrl' | 'keyId' | 'auth' | 'caFile' | 'output' | 'timeout' | 'deadline' | 'retries';

interface Case {
  readonly setting: Setting;
  /** Texts for flag, environment and profile. */
  readonly given: readonly [flag: string, env: string, profile: string];
  /** What is made of them, where that is not the text. */
  readonly values?: readonly unknown[];
  readonly byDefault?: unknown;
  readonly bad: readonly string[];
  /** What the message says is accepted. */
  readonly accepted: string;
}

const urls = ['https://flag', 'https://env', 'https://profile'] as const;
// What each setting takes for none of its values, and what it says that it takes.
const keyId = { bad: ['key a', 'key:a', 'key_\n', 'keyä'], accepted: 'visible ASCII characters' };
const auth = { bad: ['HMAC', 'digest'], accepted: 'one of hmac, basic' };
const output = { bad: ['JSON', 'xml'], accepted: 'one of table, json, jsonl, yaml, csv' };
const time = { bad: ['30', '-1s', '30 s', '1w'], accepted: 'a duration such as 500ms, 30s or 2m' };
const retries = { bad: ['-1', '1.5', '101', '0x1', '03'], accepted: 'a whole number from 0 to 100' };

const cases: readonly Case[] = [
  {
    setting: 'baseUrl',
    given: urls,
    values: urls.map((url) => ({ origin: url, prefix: '', href: url })),
    bad: ['http://api.example.com', 'https://u:p@api.example.com', 'api'],
    accepted: 'must ',
  },
  { setting: 'keyId', given: ['key_flag', 'key_env', 'key_p'], ...keyId },
  { setting: 'auth', given: ['basic', 'hmac', 'basic'], byDefault: 'hmac', ...auth },
  { setting: 'caFile', given: ['/flag', '/env', '/profile'], bad: ['a\0b'], accepted: 'the path of a file' },
  { setting: 'output', given: ['json', 'jsonl', 'yaml'], byDefault: 'table', ...output },
  {
    setting: 'timeout',
    given: ['500ms', '2s', '3m'],
    values: [500, 2000, 180_000],
    byDefault: 30_000,
    ...time,
  },
  {
    setting: 'deadline',
    given: ['500ms', '2s', '1h'],
    values: [500, 2000, 3_600_000],
    byDefault: 120_000,
    ...time,
  },
  { setting: 'retries', given: ['0', '42', '100'], values: [0, 42, 100], byDefault: 3, ...retries },
];

function fileWith(setting: string, text: string | number) {
  const profile = { baseUrl: 'https://own', keyId: 'key_own', secret: 'stored', [setting]: text };
  return { version: 1, current: 'prod', profiles: { prod: profile } };
}

function namesOf(setting: Setting): { readonly flag: string; readonly variable: string } {
  const words = setting.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  return { flag: `--${words}`, variable: `ORGCTL_${words.replace('-', '_').toUpperCase()}` };
}

describe.each(cases)('$setting', ({ setting, given, values = given, byDefault, bad, accepted }) => {
  const { flag, variable } = namesOf(setting);
  const flags: Flags = { [setting]: given[0] };
  const env = { [variable]: given[1] };
  const file = fileWith(setting, given[2]);
  const ofFlag = { value: values[0], source: { kind: 'flag', name: flag } };
  const ofEnv = { value: values[1], source: { kind: 'env', name: variable } };
  const ofProfile = { value: values[2], source: { kind: 'profile', name: 'prod' } };
  const ofDefault =
    byDefault === undefined ? undefined : { value: byDefault, source: { kind: 'default', name: 'default' } };

  test.each<[string, SettingsPlace, unknown]>([
    ['the flag first', { flags, env, file }, ofFlag],
    ['then the environment', { env, file }, ofEnv],
    ['then the profile, an empty variable not being set', { env: { [variable]: '' }, file }, ofProfile],
    ['then the default', {}, ofDefault],
    ['the flag, though --profile names one', { flags: { ...flags, profile: 'prod' }, file }, ofFlag],
    ['the environment, as ORGCTL_PROFILE does', { env: { ...env, ORGCTL_PROFILE: 'prod' }, file }, ofEnv],
    ['no store where a flag gives it', { flags, file: 'broken' }, ofFlag],
    ['no store where the environment gives it', { env, file: 'broken' }, ofEnv],
  ])('comes from %s', async (_what, place, found) => {
    expect(await (await settingsOf(place))[setting]()).toEqual(found);
  });

  test('comes from a profile that --profile names before the environment', async () => {
    const settings = await settingsOf({ flags: { profile: 'prod' }, env, file });
    expect(await settings[setting]()).toEqual(ofProfile);
  });

  test.each(['', ...bad])('may not be %j, and the message says where that was', async (text) => {
    const asFlag = await rejection((await settingsOf({ flags: { [setting]: text } }))[setting]());
    expect(asFlag).toMatchObject({ constructor: UsageError, message: expect.stringContaining(`${flag}: `) });
    if (text === '') return;
    expect(asFlag).toHaveProperty('message', expect.stringContaining(accepted));
    const asVariable = await rejection((await settingsOf({ env: { [variable]: text } }))[setting]());
    expect(asVariable).toMatchObject({
      constructor: ConfigError,
      message: expect.stringContaining(`${variable}: `),
      details: { hint: `correct or unset ${variable}` },
    });
    const stored = await rejection((await settingsOf({ file: fileWith(setting, text) }))[setting]());
    const hint = `give ${flag}, or correct the file that orgctl profile path prints`;
    expect(stored).toMatchObject({
      constructor: ConfigError,
      message: expect.stringContaining(`${setting} of profile "prod": `),
      details: { hint },
    });
  });
});

test.each([
  ['0s', '"0s" must be more than 0'],
  ['30d', '"30d" is longer than 24 days'],
])('a timeout of %s is refused for what is wrong with it', async (text, why) => {
  const settings = await settingsOf({ flags: { timeout: text } });
  expect(await rejection(settings.timeout())).toHaveProperty('message', `--timeout: ${why}`);
});

test('retries may be a number in the file', async () => {
  const settings = await settingsOf({ file: fileWith('retries', 7) });
  expect(await settings.retries()).toEqual({ value: 7, source: { kind: 'profile', name: 'prod' } });
});

describe('output', () => {
  const file = fileWith('output', 'yaml');

  test('is json with --query, whatever environment and profile say, unless --output is given', async () => {
    const settings = await settingsOf({ flags: { query: 'a' }, env: { ORGCTL_OUTPUT: 'csv' }, file });
    expect(await settings.output()).toEqual({ value: 'json', source: { kind: 'flag', name: '--query' } });
    const given = await settingsOf({ flags: { query: 'a', output: 'yaml' } });
    expect((await given.output()).value).toBe('yaml');
  });

  test('does not depend on a profile that cannot be had', async () => {
    const gone = { flags: { profile: 'gone' }, file };
    for (const place of [{ file: 'not JSON' }, gone, { flags: { profile: 'b a d' }, file }]) {
      expect((await (await settingsOf(place)).output()).value).toBe('table');
    }
  });
});

describe('color', () => {
  const kinds: Readonly<Record<string, string>> = { default: 'default', '--color': 'flag' };
  test.each<[Flags, Record<string, string>, string, string]>([
    [{}, {}, 'auto', 'default'],
    [{}, { NO_COLOR: '1' }, 'never', 'NO_COLOR'],
    [{}, { NO_COLOR: '' }, 'auto', 'default'],
    [{}, { FORCE_COLOR: '1' }, 'always', 'FORCE_COLOR'],
    [{}, { FORCE_COLOR: '0' }, 'never', 'FORCE_COLOR'],
    [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, 'always', 'FORCE_COLOR'],
    [{ color: 'always' }, { NO_COLOR: '1' }, 'always', '--color'],
    [{ color: 'auto' }, { NO_COLOR: '1' }, 'auto', '--color'],
  ])('with %j and %j is %s', async (flags, env, value, name) => {
    const color = (await settingsOf({ flags, env, file: 'broken' })).color();
    expect(color).toEqual({ value, source: { kind: kinds[name] ?? 'env', name } });
  });

  test('of another kind is refused', async () => {
    const settings = await settingsOf({ flags: { color: 'yes' } });
    expect(() => settings.color()).toThrow(UsageError);
  });
});
