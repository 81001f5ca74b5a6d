import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  emptyEnvironment,
  errorOf,
  runCli,
  temporaryDirectory,
  withProfileFile,
} from '../support/run-cli.js';

const secret = `${'f'.repeat(60)}abcd`;
const prod = { baseUrl: 'https://api.example.com', keyId: 'key_prod', secret };

const oneProfile = { version: 1, current: 'prod', profiles: { prod } };

interface Row {
  readonly setting: string;
  readonly value: unknown;
  readonly source: unknown;
  readonly problem?: string;
}

async function rows(env: Record<string, string>, args: readonly string[] = []) {
  const ended = await runCli(['whoami', ...args, '-o', 'json'], { env });
  const list: readonly Row[] = JSON.parse(ended.stdout);
  return { ended, row: (name: string) => list.find(({ setting }) => setting === name), list };
}

it('shows a profile named by -p with its own secret and mode, whatever variables say', async () => {
  const env = { ...withProfileFile(oneProfile), ORGCTL_AUTH: 'basic', ORGCTL_SECRET_FILE: '/does/not/exist' };
  const { ended, row } = await rows(env, ['-p', 'prod']);
  expect(ended.code).toBe(0);
  expect(row('auth')).toMatchObject({ value: 'hmac' });
  expect(row('secret')).toMatchObject({ source: 'profile "prod"' });
  expect(row('secret')?.problem).toBeUndefined();
  const current = await rows(env);
  expect(current.row('auth')).toMatchObject({ value: 'basic' });
  expect(current.row('secret')?.problem).toContain('/does/not/exist');
});

describe('ORGCTL_SECRET_FILE', () => {
  const place = { ORGCTL_BASE_URL: 'https://api.example.com', ORGCTL_KEY_ID: 'key_file' };

  function secretFile(content: string, mode = 0o600): string {
    const path = join(temporaryDirectory(), 'secret');
    writeFileSync(path, content, { mode });
    chmodSync(path, mode);
    return path;
  }

  it.each([
    [`${secret}\n`, 64],
    [`${secret}\r\n`, 64],
  ])('gives the secret, without one trailing newline', async (content, length) => {
    const env = { ...emptyEnvironment(), ...place, ORGCTL_SECRET_FILE: secretFile(content) };
    const { row } = await rows(env);
    expect(row('secret')).toMatchObject({
      value: length < 32 ? 'set' : expect.stringMatching(/^….{4}$/),
      source: 'ORGCTL_SECRET_FILE',
    });
  });

  it.each([
    ['another source', { ORGCTL_SECRET: 'x' }, secretFile(secret), 'both set'],
    ['writers', {}, secretFile(secret, 0o620), 'can be written by other users'],
    ['newlines alone', {}, secretFile('\n\n'), 'is empty'],
    ['quotes', {}, secretFile(`"${secret}"\n`), ': the secret includes quotes'],
    ['a directory, which stays as it is', {}, temporaryDirectory(), ': is a directory'],
    ['a device', {}, '/dev/null', 'ORGCTL_SECRET_FILE: /dev/null: it is a device, not a file'],
    ['no file', {}, join(temporaryDirectory(), 'none'), 'ORGCTL_SECRET_FILE: '],
  ])('is refused for %s, before anything is sent', async (_what, more, path, message) => {
    const env = { ...emptyEnvironment(), ...place, ...more, ORGCTL_SECRET_FILE: path };
    const ended = await runCli(['quotas', '-o', 'json'], { env });
    expect(ended.code).toBe(3);
    expect(errorOf(ended)['message']).toContain(message);
    expect(ended.stderr).not.toContain(secret);
  });

  it.each([0o444, 0o440])('is used with a warning where containers mount it, with mode %o', async (mode) => {
    // As Kubernetes does: a link to a link beside it, which another version replaces.
    const mount = temporaryDirectory();
    mkdirSync(join(mount, '..1'));
    writeFileSync(join(mount, '..1', 'secret'), `${secret}\n`);
    chmodSync(join(mount, '..1', 'secret'), mode);
    symlinkSync('..1', join(mount, '..data'));
    symlinkSync(join('..data', 'secret'), join(mount, 'secret'));
    const env = { ...emptyEnvironment(), ...place, ORGCTL_SECRET_FILE: join(mount, 'secret') };
    const { ended, row } = await rows(env);
    expect(row('secret')).toMatchObject({ value: '…abcd' });
    expect([ended.code, JSON.parse(ended.stderr)]).toEqual([
      0,
      {
        warning: `ORGCTL_SECRET_FILE: other users can read ${join(mount, 'secret')} (mode ${mode.toString(8)})`,
      },
    ]);
  });
});

it('whoami shows every setting, its value and source, the secret masked', async () => {
  const env = { ...withProfileFile(oneProfile), ORGCTL_TIMEOUT: '90s', NO_COLOR: '1' };
  const ended = await runCli(['whoami', '--retries', '0'], { env });
  expect(ended).toEqual({
    code: 0,
    stdout: [
      'SETTING    VALUE                    SOURCE',
      'profile    prod                     current profile',
      'base-url   https://api.example.com  profile "prod"',
      'key-id     key_prod                 profile "prod"',
      'secret     …abcd                    profile "prod"',
      'auth       hmac                     default',
      'ca-file    -                        -',
      'output     table                    default',
      'timeout    90s                      ORGCTL_TIMEOUT',
      'deadline   2m                       default',
      'retries    0                        --retries',
      'read-only  false                    default',
      'color      never                    NO_COLOR',
      '',
    ].join('\n'),
    stderr: '',
  });
});

it.each([
  ['a bad flag', ['--timeout', 'soon'], {}, 2, 'timeout'],
  ['an empty secret', [], { ORGCTL_SECRET: '\n' }, 3, 'secret'],
])(
  'whoami with a bad setting shows all settings and then fails for %s',
  async (_what, flags, variables, code, setting) => {
    const { ended, row, list } = await rows({ ...withProfileFile(oneProfile), ...variables }, flags);
    expect(ended.code).toBe(code);
    expect(list).toHaveLength(12);
    expect(row(setting)).toMatchObject({ value: null, problem: errorOf(ended)['message'] });
    expect(row('profile')).toMatchObject({ value: 'prod' });
  },
);
