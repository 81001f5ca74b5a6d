import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import type { SecretCommand } from '../../src/profiles/file/parse-profile-file.js';
import { askKeyring, type KeyringOptions, keyringAccount } from '../../src/profiles/keyring/keyring.js';
import {
  callSecretCommand,
  runSecretCommand,
  type SecretCommandOptions,
} from '../../src/profiles/secret-command/secret-command.js';
import { runCli, withProfileFile } from '../support/run-cli.js';
import { temporaryDirectory } from './support/config-place.js';

function optionsOf(more: Partial<SecretCommandOptions> = {}): SecretCommandOptions {
  return {
    owner: 'profile "prod"',
    env: { PATH: process.env['PATH'], VISIBLE: 'from-env' },
    stderr: new PassThrough(),
    timeout: 30_000,
    ...more,
  };
}

function run(command: SecretCommand, more?: Partial<SecretCommandOptions>): Promise<string> {
  return runSecretCommand(command, optionsOf(more));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function openPipes(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'PipeWrap').length;
}

const pipesAtFirst = openPipes();

describe('a secret command', () => {
  test.each<[string, SecretCommand, string]>([
    ['fails after printing', 'printf hidden-text; exit 3', 'exited with code 3'],
    ['is killed', 'kill -TERM $$', 'failed (SIGTERM)'],
    ['prints nothing', ['true'], 'printed nothing'],
    [
      'prints other bytes than UTF-8',
      String.raw`printf 'hidden-text\351'`,
      'printed a secret that is not UTF-8 text; convert it to UTF-8 first',
    ],
    [
      'prints a NUL',
      String.raw`printf 'hidden-text\000'`,
      'printed a secret that contains U+FFFD or NUL, so it was probably not UTF-8 text; convert it to UTF-8 first',
    ],
    ['is not there', ['/nowhere/hidden-text'], 'failed (ENOENT)'],
    ['prints too much', 'head -c 65537 /dev/zero', 'failed (ERR_CHILD_PROCESS_STDIO_MAXBUFFER)'],
  ])('that %s is an error', async (_what, command, message) => {
    const error = await run(command).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toHaveProperty('message', `the secret command of profile "prod" ${message}`);
    expect(error).toHaveProperty('details.hint', expect.stringMatching(/^run the command by itself;/));
    expect(`${error}`).not.toContain('hidden-text');
  });

  test('of words is read by no shell', async () => {
    expect(await run(['printf', '%s', '$VISIBLE `x` | y'])).toBe('$VISIBLE `x` | y');
  });

  test('that takes too long is killed, whether or not it reads what it is given', async () => {
    const pidFile = join(await temporaryDirectory(), 'pid');
    const slow = `echo $$ > ${pidFile}; printf hidden-text; exec sleep 60`;
    const feeding = callSecretCommand(slow, optionsOf({ timeout: 1000 }), 'x'.repeat(1 << 20));
    await expect(feeding).rejects.toThrow(/prod" did not finish in time$/);
    const pid = Number(await readFile(pidFile, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect.poll(openPipes).toBeLessThanOrEqual(pipesAtFirst);
  });

  test('gets no secret of the environment, neither to give one nor to take one', async () => {
    const secrets = ['SECRET', 'CONTROL_TOKEN', 'SERVE_SECRET', 'SERVE_MASTER_KEY', 'SERVE_NEW_MASTER_KEY'];
    const hidden = [...secrets, 'SERVE_DATABASE'].map((name) => [`ORGCTL_${name}`, 'hidden']);
    const env = { PATH: process.env['PATH'], ...Object.fromEntries(hidden), ORGCTL_PROFILE: 'prod' };
    expect(await run('env | grep ORGCTL_', { env })).toBe('ORGCTL_PROFILE=prod');
    const path = join(await temporaryDirectory(), 'kept');
    await callSecretCommand(`env | grep ORGCTL_ > ${path}`, optionsOf({ env }), 'x');
    expect(await readFile(path, 'utf8')).toBe('ORGCTL_PROFILE=prod\n');
  });
});

test('a command that takes a secret gets it byte for byte', async () => {
  const path = join(await temporaryDirectory(), 'kept');
  await callSecretCommand(`tee ${path}`, optionsOf(), 'a b\n');
  expect(await readFile(path, 'utf8')).toBe('a b\n');
});

const secret = `${'f'.repeat(60)}abcd`;

describe.each(['secret', 'secretCommand'])('a stored %s is not used with', (source) => {
  const profile = { keyId: 'key_prod', [source]: source === 'secret' ? secret : ['touch', 'ran'] };
  const profiles = {
    prod: { ...profile, baseUrl: 'https://api.example.com/v1' },
    local: { ...profile, baseUrl: 'https://localhost:8443' },
  };

  test.each<[string, string, Record<string, string>?]>([
    ['another key ID from a flag', '--key-id key_b'],
    ['another one from the environment', '', { ORGCTL_KEY_ID: 'key_b' }],
    ['another key ID with --allow-host', '--key-id key_b --allow-host'],
    ['another host', '--base-url https://elsewhere.example.com'],
    ['another port', '--base-url https://api.example.com:444/v1'],
    ['a host that begins alike', '--base-url https://api.example.com.evil.org'],
    ['another scheme', '--base-url http://localhost:8443', { ORGCTL_PROFILE: 'local' }],
  ])('%s', async (_what, flags, more = {}) => {
    const cwd = await temporaryDirectory();
    const env = { ...withProfileFile({ version: 1, current: 'prod', profiles }), ...more };
    const ended = await runCli(['quotas', ...flags.split(' ').filter(Boolean), '-v'], { env, cwd });
    const stderr = expect.stringMatching(/^error: the secret of profile "\w+" is not for key_/);
    expect(ended).toEqual({ code: 3, stdout: '', stderr });
    expect(ended.stderr).not.toContain(secret);
    expect(await readdir(cwd)).toEqual([]);
  });
});

const entry = 'key_abc https://api.example.com';

/** A keyring whose native part has these members; a real one is in test/spec/commands. */
async function keyringOf(members: string, more: Partial<KeyringOptions> = {}): Promise<KeyringOptions> {
  const path = join(await temporaryDirectory(), 'native.cjs');
  writeFileSync(path, `module.exports = { Entry: class { ${members} } };`);
  return { name: 'prod', env: { NAPI_RS_NATIVE_LIBRARY_PATH: path }, timeout: 60_000, ...more };
}

describe('an entry of the keyring', () => {
  it('is found by the origin of the service and the key ID', async () => {
    const members = `
      constructor(...names) { this.names = names.slice(0, 2).join('|'); }
      getPassword() { return this.names; }`;
    const found = keyringAccount({ baseUrl: 'https://api.example.com/v1', keyId: 'key_abc' });
    expect(found).toEqual(entry);
    expect(await askKeyring('read', found, await keyringOf(members))).toBe(
      'orgctl|key_abc https://api.example.com',
    );
  });
});

describe('a keyring that gives no answer', () => {
  const silent = 'getPassword() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120_000); }';

  it('is waited for no longer than told, and its process is ended', async () => {
    const processes = () => process.getActiveResourcesInfo().filter((each) => each === 'ProcessWrap').length;
    const before = processes();
    const reading = askKeyring('read', entry, await keyringOf(silent, { timeout: 500 }));
    await expect(reading).rejects.toThrow(
      'the keyring did not read the secret of profile "prod": no answer within 0.5 s',
    );
    await expect.poll(processes).toBeLessThanOrEqual(before);
  });
});
