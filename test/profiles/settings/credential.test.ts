import { describe, expect, test } from 'vitest';
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

const accepted: readonly (readonly [string, SettingsPlace, { keyId: string; secret: string }])[] = [
  ['the profile alone', {}, { keyId: 'key_prod', secret }],
  ['the same key ID from a flag', { flags: { keyId: 'key_prod' } }, { keyId: 'key_prod', secret }],
  [
    'the same key ID from the environment',
    { env: { ORGCTL_KEY_ID: 'key_prod' } },
    { keyId: 'key_prod', secret },
  ],
  [
    "the environment's secret with the profile's key",
    { env: { ORGCTL_SECRET: 'other' } },
    { keyId: 'key_prod', secret: 'other' },
  ],
  [
    "another key ID with the environment's secret",
    { flags: { keyId: 'key_b' }, env: { ORGCTL_SECRET: 'other' } },
    { keyId: 'key_b', secret: 'other' },
  ],
  [
    "another origin with the environment's secret",
    { flags: { baseUrl: 'https://elsewhere.example.com' }, env: { ORGCTL_SECRET: 'other' } },
    { keyId: 'key_prod', secret: 'other' },
  ],
  [
    'the same origin, spelled otherwise and with another path',
    { flags: { baseUrl: 'HTTPS://API.example.com:443/v2' } },
    { keyId: 'key_prod', secret },
  ],
  [
    'a profile named by --profile, whatever the environment says',
    { flags: { profile: 'prod' }, env: serveShell },
    { keyId: 'key_prod', secret },
  ],
  [
    "a profile named by --profile, and elsewhere the environment's secret",
    {
      flags: { profile: 'prod', baseUrl: 'https://elsewhere.example.com' },
      env: { ORGCTL_SECRET: 'other' },
    },
    { keyId: 'key_prod', secret: 'other' },
  ],
  [
    'the environment where it names the profile, too',
    { env: { ...serveShell, ORGCTL_PROFILE: 'prod' } },
    { keyId: 'key_local', secret: 'other' },
  ],
  [
    'another origin with --allow-host',
    { flags: { baseUrl: 'https://elsewhere.example.com', allowHost: true } },
    { keyId: 'key_prod', secret },
  ],
];

describe('a credential is given by', () => {
  for (const [what, place, credential] of accepted) {
    test(what, async () => {
      expect(await (await settingsOf({ file, ...place })).credential()).toEqual(credential);
    });
  }

  for (const [newline, kept] of [
    ['s\n', 's'],
    ['s\r\n', 's'],
    ['s\n\n', 's\n'],
    ['s\nt', 's\nt'],
    ['s ', 's '],
  ] as const) {
    test(`ORGCTL_SECRET less one trailing newline: ${JSON.stringify(newline)}`, async () => {
      const settings = await settingsOf({ file, env: { ORGCTL_SECRET: newline } });
      expect((await settings.credential()).secret).toBe(kept);
    });
  }

  test('flags and environment without any base URL, as signing offline needs', async () => {
    const settings = await settingsOf({
      flags: { keyId: 'key_a' },
      env: { ORGCTL_SECRET: 's' },
      file: 'broken',
    });
    expect(await settings.credential()).toEqual({ keyId: 'key_a', secret: 's' });
  });
});

const refused: readonly (readonly [string, SettingsPlace, readonly string[]])[] = [
  [
    'another key ID from a flag',
    { flags: { keyId: 'key_b' } },
    ['--key-id', 'key_b', 'profile "prod"', 'key_prod'],
  ],
  [
    'another key ID from the environment',
    { env: { ORGCTL_KEY_ID: 'key_b' } },
    ['ORGCTL_KEY_ID', 'profile "prod"'],
  ],
  [
    'another key ID with --allow-host',
    { flags: { keyId: 'key_b', allowHost: true } },
    ['--key-id', 'profile "prod"'],
  ],
  [
    'another host',
    { flags: { baseUrl: 'https://elsewhere.example.com' } },
    ['--base-url', 'https://elsewhere.example.com', 'profile "prod"', 'https://api.example.com'],
  ],
  [
    'another host from the environment',
    { env: { ORGCTL_BASE_URL: 'https://elsewhere.example.com' } },
    ['ORGCTL_BASE_URL', 'profile "prod"'],
  ],
  ['another port', { flags: { baseUrl: 'https://api.example.com:444/v1' } }, ['--base-url']],
  ['a host that begins alike', { flags: { baseUrl: 'https://api.example.com.evil.org' } }, ['--base-url']],
  [
    'another scheme',
    { flags: { baseUrl: 'http://localhost:8443' }, env: { ORGCTL_PROFILE: 'local' } },
    ['http://localhost:8443', 'https://localhost:8443'],
  ],
];

describe('a stored secret is not used with', () => {
  for (const [what, place, named] of refused) {
    for (const source of ['secret', 'secretCommand']) {
      test(`${what} (${source})`, async () => {
        const stored = { ...prod, secret: undefined, [source]: secret };
        const local = { ...stored, baseUrl: 'https://localhost:8443' };
        const profiles = { prod: stored, local };
        const error = await rejection(
          (await settingsOf({ ...place, file: { ...file, profiles } })).service(),
        );
        expect(error).toBeInstanceOf(ConfigError);
        for (const name of named) expect(error).toHaveProperty('message', expect.stringContaining(name));
        expect(error).toHaveProperty('details.hint', expect.stringContaining('ORGCTL_SECRET'));
        expect(JSON.stringify([error, String(error)])).not.toContain(secret);
      });
    }
  }
});

test('a secret that was typed as the key ID is not repeated', async () => {
  const settings = await settingsOf({ file, flags: { keyId: secret } });
  const error = await rejection(settings.credential());
  expect(String(error)).toContain('does not begin with key_');
  expect(String(error)).not.toContain(secret);
});

test('a variable that holds a newline alone is no secret', async () => {
  const error = await rejection((await settingsOf({ file, env: { ORGCTL_SECRET: '\n' } })).credential());
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain('ORGCTL_SECRET: the secret is empty');
});

// A command that works: none is better than another.
const secretCommand = 'echo another';
for (const [more, both] of [
  [{ secretCommand }, 'a secret and a secret command'],
  [{ keyring: true }, 'a secret and a secret in the keyring'],
  [{ secretCommand, keyring: true }, 'a secret and a secret command'],
  [{ secretCommand, keyring: true, secret: undefined }, 'a secret command and a secret in the keyring'],
] as const) {
  test(`a profile with both ${both} is refused: ${Object.keys(more)}`, async () => {
    const profiles = { prod: { ...prod, ...more } };
    const error = await rejection((await settingsOf({ file: { ...file, profiles } })).credential());
    expect(error).toMatchObject({
      constructor: ConfigError,
      message: `profile "prod" has both ${both}`,
      details: {
        hint: 'remove one of them from the file whose path orgctl profile path prints',
        next: ['orgctl', 'profile', 'path'],
      },
    });
  });
}

test('an empty secret of a profile is none', async () => {
  const profiles = { prod: { ...prod, secret: '' } };
  const error = await rejection((await settingsOf({ file: { ...file, profiles } })).credential());
  expect(String(error)).toContain('profile "prod" has no secret');
});

test('a secret in the keyring belongs to the base URL of its profile, which has to be one', async () => {
  const profiles = { prod: { ...prod, secret: undefined, baseUrl: 'nowhere', keyring: true } };
  const flags = { baseUrl: 'https://elsewhere.example.com', allowHost: true };
  const error = await rejection((await settingsOf({ flags, file: { ...file, profiles } })).credential());
  expect(String(error)).toContain('the base URL of the profile is not a URL');
});

test('a bad base URL of a named profile is told, and not passed over', async () => {
  const profiles = { prod: { ...prod, baseUrl: 'nowhere' } };
  const flags = { profile: 'prod', baseUrl: 'https://elsewhere.example.com' };
  const settings = await settingsOf({
    flags,
    env: { ORGCTL_SECRET: 'other' },
    file: { ...file, profiles },
  });
  expect(String(await rejection(settings.credential()))).toContain('baseUrl of profile "prod"');
});

for (const [what, place, variables] of [
  ["the profile's", { flags: { profile: 'prod' } }, ['ORGCTL_KEY_ID', 'ORGCTL_SECRET']],
  ["the environment's", { flags: { profile: 'prod', keyId: 'key_b' } }, []],
] as const) {
  test(`with ${what} secret these variables are passed over: ${variables}`, async () => {
    const passedOver: string[] = [];
    const onPassedOver = (variable: string, name: string) => passedOver.push(`${variable} ${name}`);
    const env = { ORGCTL_KEY_ID: 'key_b', ORGCTL_SECRET: 'other' };
    await (await settingsOf({ file, ...place, env, onPassedOver })).credential();
    expect(passedOver.sort()).toEqual(variables.map((variable) => `${variable} prod`));
  });
}

test('the pair of the environment is not taken apart by a profile without a secret', async () => {
  const bare = { baseUrl: prod.baseUrl, keyId: 'key_bare' };
  const file = { version: 1, profiles: { bare } };
  const settings = await settingsOf({ flags: { profile: 'bare' }, env: serveShell, file });
  const error = await rejection(settings.credential());
  expect(error).toBeInstanceOf(ConfigError);
  for (const name of ['ORGCTL_SECRET', 'ORGCTL_KEY_ID', 'key_local', 'profile "bare"', 'key_bare']) {
    expect(error).toHaveProperty('message', expect.stringContaining(name));
  }
  expect(error).toHaveProperty('details.hint', expect.stringMatching(/^unset ORGCTL_KEY_ID and set/));
  for (const [keyId, more, variables] of [
    ['key_bare', {}, {}],
    ['key_bare', {}, { ORGCTL_KEY_ID: '' }],
    ['key_bare', {}, { ORGCTL_KEY_ID: 'key_bare' }],
    ['key_typed', { keyId: 'key_typed' }, { ORGCTL_KEY_ID: 'key_local' }],
  ] as const) {
    const env = { ORGCTL_SECRET: 'its own', ...variables };
    const alone = await settingsOf({ flags: { profile: 'bare', ...more }, env, file });
    expect(await alone.credential()).toEqual({ keyId, secret: 'its own' });
  }
});
