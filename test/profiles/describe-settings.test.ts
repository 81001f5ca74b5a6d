import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSettings } from '../../src/profiles/describe-settings.js';
import { maskSecret } from '../../src/profiles/settings/secret.js';
import { temporaryDirectory } from './support/config-place.js';
import { type SettingsPlace, settingsOf } from './support/settings-of.js';

const secret = `${'f'.repeat(60)}abcd`;
const prod = { baseUrl: 'https://api.example.com/v1/', keyId: 'key_prod', secret, deadline: '90s' };
const file = { version: 1, current: 'prod', profiles: { prod } };

test('every setting is shown with its source, the secret masked', async () => {
  const settings = await settingsOf({
    flags: { timeout: '1500ms' },
    env: { ORGCTL_AUTH: 'basic', NO_COLOR: '1' },
    file,
  });
  expect(await describeSettings(settings)).toEqual([
    { setting: 'profile', value: 'prod', source: 'current profile' },
    { setting: 'base-url', value: 'https://api.example.com/v1', source: 'profile "prod"' },
    { setting: 'key-id', value: 'key_prod', source: 'profile "prod"' },
    { setting: 'secret', value: 'set (64 characters, ends in abcd)', source: 'profile "prod"' },
    { setting: 'auth', value: 'basic', source: 'ORGCTL_AUTH' },
    { setting: 'ca-file', value: null, source: null },
    { setting: 'output', value: 'table', source: 'default' },
    { setting: 'timeout', value: '1500ms', source: '--timeout' },
    { setting: 'deadline', value: '90s', source: 'profile "prod"' },
    { setting: 'retries', value: 3, source: 'default' },
    { setting: 'read-only', value: false, source: 'default' },
    { setting: 'color', value: 'never', source: 'NO_COLOR' },
  ]);
});

test('each setting may be the profile’s', async () => {
  const more = { caFile: 'system', auth: 'basic', output: 'yaml', timeout: '1s', retries: 7, readOnly: true };
  const profiles = { prod: { ...prod, ...more } };
  const rows = await describeSettings(await settingsOf({ file: { ...file, profiles } }));
  const values = rows.filter(({ source }) => source === 'profile "prod"').map(({ value }) => value);
  const shown = ['https://api.example.com/v1', 'key_prod', 'set (64 characters, ends in abcd)'];
  expect(values).toEqual([...shown, 'basic', 'system', 'yaml', '1s', '90s', 7, true]);
});

test('nothing that is set is no error', async () => {
  const rows = await describeSettings(await settingsOf({}));
  expect(rows.slice(0, 4)).toEqual(
    ['profile', 'base-url', 'key-id', 'secret'].map((setting) => ({ setting, value: null, source: null })),
  );
});

test('a short secret and one that was typed as the key ID show no more than their length', async () => {
  const settings = await settingsOf({ flags: { keyId: secret }, env: { ORGCTL_SECRET: 'short-secret' } });
  const text = JSON.stringify(await describeSettings(settings));
  expect(maskSecret(`${'x'.repeat(27)}abcd`)).toBe('set (31 characters)');
  expect(maskSecret(`${'x'.repeat(28)}abcd`)).toBe('set (32 characters, ends in abcd)');
  expect(text).toContain('set (12 characters)');
  expect(text).not.toContain('short-secret');
  expect(text).not.toContain(secret);
});

test('a conflict is the problem of the secret, and both sources are shown', async () => {
  const rows = await describeSettings(await settingsOf({ flags: { keyId: 'key_b' }, file }));
  expect(rows).toContainEqual({ setting: 'key-id', value: 'key_b', source: '--key-id' });
  expect(rows.find(({ setting }) => setting === 'secret')).toEqual({
    setting: 'secret',
    value: null,
    source: null,
    problem: expect.stringContaining('differs from that of profile "prod" (key_prod)'),
  });
});

test('what is wrong is told once, and reported unless each setting is valid alone', async () => {
  const reported: unknown[] = [];
  const onBad = (error: unknown) => void reported.push(error);
  const rows = async (place: SettingsPlace) => describeSettings(await settingsOf(place), onBad);
  const told = async (place: SettingsPlace) =>
    (await rows(place)).filter(({ problem }) => problem !== undefined);
  expect(await told({ flags: { keyId: 'key_b' }, file })).toHaveLength(1);
  expect(reported).toEqual([]);
  const unreadable = await told({ file: '{' });
  expect(unreadable).toEqual([
    { setting: 'profile', value: null, source: null, problem: expect.stringContaining('profiles.json') },
  ]);
  expect(reported).toEqual([expect.objectContaining({ message: unreadable[0]?.problem })]);
  expect(await rows({ file: '{' })).toContainEqual({ setting: 'auth', value: null, source: null });
  const bad = await told({ file, env: { ORGCTL_AUTH: 'none', ORGCTL_RETRIES: 'many' } });
  expect(bad.map(({ setting }) => setting)).toEqual(['auth', 'retries']);
  expect(reported).toHaveLength(4);
});

test('neither is a keyring opened nor a secret command run', async () => {
  const trace = join(await temporaryDirectory(), 'trace');
  for (const [own, value] of [
    [{ keyring: true }, 'in the keyring'],
    [{ secretCommand: `touch ${trace}` }, 'printed by a command'],
  ] as const) {
    const profiles = { prod: { ...prod, secret: undefined, ...own } };
    const rows = await describeSettings(await settingsOf({ file: { ...file, profiles } }));
    expect(rows).toContainEqual({ setting: 'secret', value, source: 'profile "prod"' });
  }
  await expect(access(trace)).rejects.toThrow('ENOENT');
});
