import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ConfigError, UsageError } from '../../src/errors/errors.js';
import { describeSettings } from '../../src/profiles/describe-settings.js';
import { type ResolvedSettings, resolve } from '../../src/profiles/resolve.js';
import { type Flags, storedSetting } from '../../src/profiles/settings/settings.js';
import { rejection, settingsOf } from './support/settings-of.js';

interface Case {
  readonly setting: 'baseUrl' | 'keyId' | 'auth' | 'caFile' | 'output' | 'timeout' | 'deadline' | 'retries';
  /** A text and its value, for each place. */
  readonly given: Readonly<Record<'flag' | 'env' | 'profile', readonly [string, unknown]>>;
  readonly default: unknown;
  readonly bad: readonly string[];
  /** What the message says is accepted. */
  readonly accepted: string;
}

const url = (host: string) => ({ origin: `https://${host}`, prefix: '', href: `https://${host}` });

const cases: readonly Case[] = [
  {
    setting: 'baseUrl',
    given: {
      flag: ['https://flag', url('flag')],
      env: ['https://env', url('env')],
      profile: ['https://profile', url('profile')],
    },
    default: undefined,
    bad: ['http://api.example.com', 'https://u:p@api.example.com', 'api'],
    accepted: 'must ',
  },
  {
    setting: 'keyId',
    given: { flag: ['key_flag', 'key_flag'], env: ['key_env', 'key_env'], profile: ['key_p', 'key_p'] },
    default: undefined,
    bad: ['key a', 'key:a', 'key_\n', 'keyä'],
    accepted: 'visible ASCII characters',
  },
  {
    setting: 'auth',
    given: { flag: ['basic', 'basic'], env: ['hmac', 'hmac'], profile: ['basic', 'basic'] },
    default: 'hmac',
    bad: ['HMAC', 'digest'],
    accepted: 'one of hmac, basic',
  },
  {
    setting: 'caFile',
    given: { flag: ['/flag', '/flag'], env: ['/env', '/env'], profile: ['/profile', '/profile'] },
    default: undefined,
    bad: ['a\0b'],
    accepted: 'the path of a file',
  },
  {
    setting: 'output',
    given: { flag: ['json', 'json'], env: ['jsonl', 'jsonl'], profile: ['yaml', 'yaml'] },
    default: 'table',
    bad: ['JSON', 'xml'],
    accepted: 'one of table, json, jsonl, yaml, csv',
  },
  {
    setting: 'timeout',
    given: { flag: ['500ms', 500], env: ['2s', 2000], profile: ['3m', 180_000] },
    default: 30_000,
    bad: ['30', '0s', '-1s', '30 s', '1w', '999h'],
    accepted: 'a duration such as 500ms, 30s or 2m',
  },
  {
    setting: 'deadline',
    given: { flag: ['500ms', 500], env: ['2s', 2000], profile: ['1h', 3_600_000] },
    default: 120_000,
    bad: ['two minutes'],
    accepted: 'a duration such as 500ms, 30s or 2m',
  },
  {
    setting: 'retries',
    given: { flag: ['0', 0], env: ['42', 42], profile: ['100', 100] },
    default: 3,
    bad: ['-1', '1.5', '101', '0x1', '1e1', '03'],
    accepted: 'a whole number from 0 to 100',
  },
];

function fileWith(setting: string, text: string | number) {
  const profile = { baseUrl: 'https://own', keyId: 'key_own', secret: 'stored', [setting]: text };
  return { version: 1, current: 'prod', profiles: { prod: profile } };
}

async function found(settings: ResolvedSettings, { setting }: Case) {
  return await settings[setting]();
}

for (const each of cases) {
  const { setting, given } = each;
  const words = setting.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  const [flag, env] = [`--${words}`, `ORGCTL_${words.replace('-', '_').toUpperCase()}`];
  describe(`${setting} comes from`, () => {
    const fromFlag: { readonly flags: Flags } = { flags: { [setting]: given.flag[0] } };
    const fromEnv = { env: { [env]: given.env[0] } };
    const fromProfile = { file: fileWith(setting, given.profile[0]) };

    test('the flag first', async () => {
      const settings = await settingsOf({ ...fromFlag, ...fromEnv, ...fromProfile });
      expect(await found(settings, each)).toEqual({
        value: given.flag[1],
        source: { kind: 'flag', name: flag },
      });
    });

    test('then the environment', async () => {
      const settings = await settingsOf({ ...fromEnv, ...fromProfile });
      expect(await found(settings, each)).toEqual({
        value: given.env[1],
        source: { kind: 'env', name: env },
      });
    });

    test('then the profile, an empty variable not being set', async () => {
      const settings = await settingsOf({ env: { [env]: '' }, ...fromProfile });
      expect(await found(settings, each)).toEqual({
        value: given.profile[1],
        source: { kind: 'profile', name: 'prod' },
      });
    });

    test('a profile that --profile names before the environment, which is named as passed over', async () => {
      const passedOver: string[] = [];
      const onPassedOver = (variable: string, name: string) => passedOver.push(`${variable} ${name}`);
      const flags = { profile: 'prod' };
      const settings = await settingsOf({ flags, ...fromEnv, ...fromProfile, onPassedOver });
      const ofProfile = { value: given.profile[1], source: { kind: 'profile', name: 'prod' } };
      expect(await found(settings, each)).toEqual(ofProfile);
      expect(await found(settings, each)).toEqual(ofProfile);
      expect(passedOver).toEqual([`${env} prod`]);
    });

    test('the flag before a profile that --profile names', async () => {
      const flags = { ...fromFlag.flags, profile: 'prod' };
      expect(await found(await settingsOf({ flags, ...fromProfile }), each)).toMatchObject({
        value: given.flag[1],
        source: { kind: 'flag', name: flag },
      });
    });

    test('the environment before a profile that ORGCTL_PROFILE names', async () => {
      const env = { ...fromEnv.env, ORGCTL_PROFILE: 'prod' };
      expect(await found(await settingsOf({ env, ...fromProfile }), each)).toMatchObject({
        value: given.env[1],
      });
    });

    test('then the default', async () => {
      const value = await found(await settingsOf({}), each);
      expect(value).toEqual(
        each.default === undefined
          ? undefined
          : { value: each.default, source: { kind: 'default', name: 'default' } },
      );
    });

    test('no store where flag or environment gives it', async () => {
      expect(await found(await settingsOf({ ...fromFlag, file: 'broken' }), each)).toBeDefined();
      expect(await found(await settingsOf({ ...fromEnv, file: 'broken' }), each)).toBeDefined();
    });

    for (const bad of each.bad) {
      test(`nowhere when it is ${JSON.stringify(bad)}, and the message says where that was`, async () => {
        const asFlag = await rejection(found(await settingsOf({ flags: { [setting]: bad } }), each));
        expect(asFlag).toBeInstanceOf(UsageError);
        expect(asFlag).toHaveProperty('message', expect.stringContaining(`${flag}: `));
        expect(asFlag).toHaveProperty('message', expect.stringContaining(each.accepted));

        const asVariable = await rejection(found(await settingsOf({ env: { [env]: bad } }), each));
        expect(asVariable).toBeInstanceOf(ConfigError);
        expect(asVariable).toHaveProperty('message', expect.stringContaining(`${env}: `));
        expect(asVariable).toHaveProperty('details.hint', `correct or unset ${env}`);

        const stored = await rejection(found(await settingsOf({ file: fileWith(setting, bad) }), each));
        expect(stored).toBeInstanceOf(ConfigError);
        expect(stored).toHaveProperty('message', expect.stringContaining(`${setting} of profile "prod": `));
        expect(stored).toHaveProperty(
          'details.hint',
          `give ${flag}, or correct it in the file whose path orgctl profile path prints`,
        );
        expect(stored).toHaveProperty('details.next', ['orgctl', 'profile', 'path']);
      });
    }

    test('an empty flag never', async () => {
      expect(await rejection(found(await settingsOf({ flags: { [setting]: '' } }), each))).toBeInstanceOf(
        UsageError,
      );
    });
  });
}

test('the environment gives what a profile named by --profile does not hold', async () => {
  const profile = { baseUrl: 'https://own', keyId: 'key_own', secret: 'stored' };
  const file = { version: 1, profiles: { other: profile } };
  const env = { ORGCTL_CA_FILE: '/env', ORGCTL_TIMEOUT: '2s', ORGCTL_OUTPUT: 'csv' };
  const passedOver: string[] = [];
  const onPassedOver = (variable: string) => void passedOver.push(variable);
  const settings = await settingsOf({ flags: { profile: 'other' }, env, file, onPassedOver });
  expect((await settings.caFile())?.value).toBe('/env');
  expect((await settings.timeout()).value).toBe(2000);
  expect((await settings.output()).value).toBe('csv');
  expect(passedOver).toEqual([]);
});

test('retries may be a number in the file', async () => {
  const settings = await settingsOf({ file: fileWith('retries', 7) });
  expect(await settings.retries()).toEqual({ value: 7, source: { kind: 'profile', name: 'prod' } });
});

test('a password in a base URL is not repeated', async () => {
  const settings = await settingsOf({ flags: { baseUrl: 'https://user:password@api.example.com' } });
  expect(String(await rejection(settings.baseUrl()))).not.toContain('password@');
});

test('an error of our own parser is not taken for a bad setting', () => {
  const parse = () => {
    throw new TypeError('a bug');
  };
  const profile = { baseUrl: 'https://own', keyId: 'key_own', auth: 'basic' };
  expect(() => storedSetting({ profileKey: 'auth', parse }, profile, 'prod')).toThrow(TypeError);
});

describe('output', () => {
  const broken = 'not JSON';
  const file = fileWith('output', 'yaml');

  test('is json with --query, whatever environment and profile say', async () => {
    const settings = await settingsOf({ flags: { query: 'a' }, env: { ORGCTL_OUTPUT: 'csv' }, file });
    expect(await settings.output()).toEqual({ value: 'json', source: { kind: 'flag', name: '--query' } });
  });

  test('is that of --output with --query too', async () => {
    const settings = await settingsOf({ flags: { query: 'a', output: 'yaml' } });
    expect((await settings.output()).value).toBe('yaml');
  });

  test('does not depend on a profile that cannot be had', async () => {
    expect((await (await settingsOf({ file: broken })).output()).value).toBe('table');
    expect((await (await settingsOf({ flags: { profile: 'gone' }, file })).output()).value).toBe('table');
    expect((await (await settingsOf({ flags: { profile: 'b a d' }, file })).output()).value).toBe('table');
  });

  test('hides no bug that reading a profile has', async () => {
    const read = () => Promise.reject(new TypeError('a bug'));
    const settings = resolve({
      flags: {},
      env: {},
      store: { read, path: () => '' },
      platform: process.platform,
      stderr: new PassThrough(),
    });
    await expect(settings.output()).rejects.toThrow(TypeError);
    await expect(describeSettings(settings)).rejects.toThrow(TypeError);
  });
});

describe('color', () => {
  const kinds: Readonly<Record<string, string>> = { default: 'default', '--color': 'flag' };
  const colors: readonly (readonly [Flags, Record<string, string>, string, string])[] = [
    [{}, {}, 'auto', 'default'],
    [{}, { NO_COLOR: '1' }, 'never', 'NO_COLOR'],
    [{}, { NO_COLOR: '' }, 'auto', 'default'],
    [{}, { FORCE_COLOR: '1' }, 'always', 'FORCE_COLOR'],
    [{}, { FORCE_COLOR: '0' }, 'never', 'FORCE_COLOR'],
    [{}, { FORCE_COLOR: 'false' }, 'never', 'FORCE_COLOR'],
    [{}, { FORCE_COLOR: '' }, 'auto', 'default'],
    [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, 'always', 'FORCE_COLOR'],
    [{ color: 'never' }, { FORCE_COLOR: '1' }, 'never', '--color'],
    [{ color: 'always' }, { NO_COLOR: '1' }, 'always', '--color'],
    [{ color: 'auto' }, { NO_COLOR: '1' }, 'auto', '--color'],
  ];
  for (const [flags, env, value, name] of colors) {
    test(`is ${value} with ${JSON.stringify({ ...flags, ...env })}`, async () => {
      const color = (await settingsOf({ flags, env, file: 'broken' })).color();
      expect(color).toEqual({ value, source: { kind: kinds[name] ?? 'env', name } });
    });
  }

  test('of another kind is refused', async () => {
    const settings = await settingsOf({ flags: { color: 'yes' } });
    expect(() => settings.color()).toThrow(UsageError);
  });
});
