import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ConfigError, InterruptedError } from '../../../src/errors/errors.js';
import type { SecretCommand } from '../../../src/profiles/file/parse-profile-file.js';
import {
  callSecretCommand,
  runSecretCommand,
  type SecretCommandOptions,
} from '../../../src/profiles/secret-command/secret-command.js';
import { temporaryDirectory } from '../support/config-place.js';
import { rejection, settingsOf } from '../support/settings-of.js';

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

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new InterruptedError('SIGINT')) };
}

function openPipes(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'PipeWrap').length;
}

const pipesAtFirst = openPipes();

describe('a secret command', () => {
  test.each<[string, SecretCommand, string]>([
    ['less one trailing newline', ['printf', '%s\\n', 'a b'], 'a b'],
    ['of non-ASCII text', ['printf', 'ä€'], 'ä€'],
    ['from words, which no shell reads', ['printf', '%s', '$VISIBLE `x` | y'], '$VISIBLE `x` | y'],
    ['from a line of plain words', `printf %s 'a | b'`, 'a | b'],
    ['from a line for the shell, which has no input', 'cat; printf %s "$VISIBLE" | tr a-z A-Z', 'FROM-ENV'],
    ['up to 64 KiB', "head -c 65536 /dev/zero | tr '\\0' x", 'x'.repeat(65_536)],
    ['without a byte-order mark', String.raw`printf '\357\273\277pw\n'`, 'pw'],
  ])('gives what it prints %s', async (_what, command, secret) => {
    expect(await run(command)).toBe(secret);
  });

  test.each<[string, SecretCommand, string]>([
    ['fails after printing', 'printf hidden-text; exit 3', 'exited with code 3'],
    ['is killed', 'kill -TERM $$', 'failed (SIGTERM)'],
    ['prints nothing', ['true'], 'printed nothing'],
    ['prints a newline alone', ['printf', '\\n'], 'printed nothing'],
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
    ['cannot be a command', ['printf', 'hidden-text\0'], 'failed (ERR_INVALID_ARG_VALUE)'],
    ['prints too much', 'head -c 65537 /dev/zero', 'failed (ERR_CHILD_PROCESS_STDIO_MAXBUFFER)'],
  ])('that %s is an error', async (_what, command, message) => {
    const error = await rejection(run(command));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toHaveProperty('message', `the secret command of profile "prod" ${message}`);
    expect(error).toHaveProperty('details.hint', expect.stringMatching(/^run the command by itself;/));
    expect(`${error}`).not.toContain('hidden-text');
  });

  test('that takes too long is killed, whether or not it reads what it is given', async () => {
    const pidFile = join(await temporaryDirectory(), 'pid');
    const slow = `echo $$ > ${pidFile}; printf hidden-text; exec sleep 60`;
    const feeding = callSecretCommand(slow, optionsOf({ timeout: 1000 }), 'x'.repeat(1 << 20));
    expect(String(await rejection(feeding))).toMatch(/prod" did not finish in time$/);
    const pid = Number(await readFile(pidFile, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expect.poll(openPipes).toBeLessThanOrEqual(pipesAtFirst);
  });

  test('that misses Ctrl-C, as a shell does that has just started a command, is ended', async () => {
    const pidFile = join(await temporaryDirectory(), 'pid');
    const { signal, abort } = abortable();
    const stderr = new PassThrough();
    const command = `echo $$ > ${pidFile}; echo started >&2; exec sleep 60`;
    const running = rejection(run(command, { signal, stderr }));
    await once(stderr, 'data');
    abort();
    expect(await running).toMatchObject({ code: 'interrupted' });
    const pid = Number(await readFile(pidFile, 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(await rejection(run('echo late', { signal }))).toMatchObject({ code: 'interrupted' });
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

  test('that Ctrl-C ends interrupts', async () => {
    expect(await rejection(run('kill -INT $$'))).toMatchObject({ code: 'interrupted' });
  });
});

describe('a command that takes a secret', () => {
  const secret = 'a b\n';

  test('gets it byte for byte, and what it prints is dropped', async () => {
    const path = join(await temporaryDirectory(), 'kept');
    await callSecretCommand(`tee ${path}`, optionsOf(), secret);
    expect(await readFile(path, 'utf8')).toBe(secret);
  });

  test('need not read it', async () => {
    // More than a pipe holds.
    await callSecretCommand(['true'], optionsOf(), 'x'.repeat(1 << 20));
  });

  test('may fail, which tells the advice that is given and the cause, and not the secret', async () => {
    const failed = await rejection(callSecretCommand('cat; exit 1', optionsOf(), secret));
    expect(failed).toHaveProperty('message', 'the secret command of profile "prod" exited with code 1');
    expect(JSON.stringify(failed)).not.toContain('a b');
    const missing = callSecretCommand(['/nowhere/at-all'], optionsOf({ hint: 'look there' }), secret);
    expect(await rejection(missing)).toMatchObject({
      details: { hint: 'look there' },
      cause: { code: 'ENOENT' },
    });
  });
});

describe('the secret command of a profile', () => {
  const profileWith = (secretCommand: SecretCommand) => ({
    version: 1,
    current: 'prod',
    profiles: { prod: { baseUrl: 'https://api.example.com', keyId: 'key_a', secretCommand } },
  });

  test('is run once however often its secret is asked for', async () => {
    const calls = join(await temporaryDirectory(), 'calls');
    const env = { PATH: process.env['PATH'] };
    const file = profileWith(`printf x >> ${calls}; printf secret`);
    const settings = await settingsOf({ file, env });
    const [first, second] = await Promise.all([settings.credential(), settings.service()]);
    expect(first).toEqual({ keyId: 'key_a', secret: 'secret' });
    expect(second.credential).toEqual(first);
    expect(await readFile(calls, 'utf8')).toBe('x');
  });

  test("is not run when the environment's secret is used", async () => {
    const calls = join(await temporaryDirectory(), 'calls');
    const env = { PATH: process.env['PATH'], ORGCTL_SECRET: 'other' };
    const settings = await settingsOf({ file: profileWith(`printf x > ${calls}; printf secret`), env });
    expect((await settings.credential()).secret).toBe('other');
    await expect(access(calls)).rejects.toThrow('ENOENT');
  });

  test('is named by its profile when it fails, and speaks to the user on our stderr', async () => {
    const stderr = new PassThrough();
    const env = { PATH: process.env['PATH'] };
    const settings = await settingsOf({ file: profileWith('echo locked >&2; exit 1'), env, stderr });
    const error = await rejection(settings.credential());
    expect(String(error)).toContain('the secret command of profile "prod" exited with code 1');
    expect(String(stderr.read())).toBe('locked\n');
    expect(stderr.writableEnded).toBe(false);
  });
});
