import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { isMissing } from '../support/programs.js';
import { errorOf, runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';

const secret = `${'a'.repeat(58)}'$(x)\n`.trimEnd();
// A file that Node.js reads without a word.
const caFile = join(temporaryDirectory(), 'ca.pem');
writeFileSync(caFile, rootCertificates[0] ?? '');

const settings = { auth: 'basic', caFile, timeout: '5s' };
const plain = { baseUrl: 'https://api.example.com', keyId: 'key_prod', secret, ...settings };
const command = { baseUrl: plain.baseUrl, keyId: 'key_cmd', secretCommand: 'echo from-command' };
const keyring = { baseUrl: plain.baseUrl, keyId: 'key_ring', keyring: true };
const profiles = {
  version: 1,
  current: 'plain',
  profiles: { plain, command, keyring, reader: { ...plain, readOnly: true, dialect: { dialect: 1 } } },
};

/** Tells its ORGCTL_ variables and arguments in a file, for a child writes to no stream of the test. */
const script = `const { env, argv } = process;
const found = Object.entries(env).filter(([name]) => /^(ORGCTL|NODE_EXTRA)_/.test(name));
require('node:fs').writeFileSync(argv[1], JSON.stringify({ env: Object.fromEntries(found), args: argv.slice(2) }));`;

/** What variables cannot hand on, as notes say it. */
const limits = /^profile "reader" is read-only for orgctl, also in .* \(ORGCTL_READ_ONLY=1\); .*\n$/;

const { PATH = '' } = process.env;

async function exec(args: readonly string[], more: Record<string, string> = {}) {
  const { ORGCTL_CONFIG_DIR = '', ...env } = withProfileFile(profiles);
  const report = join(temporaryDirectory(), 'report.json');
  const ended = await runCli(['exec', ...args, process.execPath, '-e', script, report, '--watch', '-p'], {
    env: { ...env, PATH, ...more, ORGCTL_CONFIG_DIR },
  });
  return { ended, report };
}

function readReport(path: string): { env: Record<string, string>; args: string[] } {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const fromCommand = {
  ORGCTL_BASE_URL: plain.baseUrl,
  ORGCTL_KEY_ID: 'key_cmd',
  ORGCTL_SECRET: 'from-command',
};

describe('exec', () => {
  it.each([[['-p', 'plain']], [['--']]])('hands the profile to a command: %j', async (args) => {
    const { ended, report } = await exec(args);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    const { env, args: own } = readReport(report);
    expect(own).toEqual(['--watch', '-p']);
    expect(env).toMatchObject({
      ORGCTL_BASE_URL: plain.baseUrl,
      ORGCTL_KEY_ID: plain.keyId,
      ORGCTL_SECRET: secret,
      ORGCTL_AUTH: 'basic',
      ORGCTL_CA_FILE: caFile,
      ORGCTL_TIMEOUT: '5s',
      NODE_EXTRA_CA_CERTS: caFile,
    });
  });

  it('leaves out what the shell has of other keys and servers', async () => {
    const file = join(temporaryDirectory(), 'secret');
    writeFileSync(file, 'other', { mode: 0o600 });
    const { ended, report } = await exec(['-p', 'command', '--yes', '--'], {
      ORGCTL_SECRET_FILE: file,
      ORGCTL_PROFILE: 'plain',
      ORGCTL_TIMEOUT: '1s',
      ORGCTL_SERVE_MASTER_KEY: 'f'.repeat(64),
      ORGCTL_CONTROL_TOKEN: 'token',
    });
    expect(ended.code).toBe(0);
    const { ORGCTL_CONFIG_DIR: _, ...set } = readReport(report).env;
    expect(set).toEqual(fromCommand);
  });

  it.each(['command', 'keyring'])('hands out no secret of a %s without --yes', async (name) => {
    for (const words of [
      ['exec', '-p', name, '-o', 'json', '--', 'true'],
      ['profile', 'env', name, '-o', 'json'],
    ]) {
      const refused = await runCli(words, { env: withProfileFile(profiles) });
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(errorOf(refused)).toMatchObject({ hint: 'to allow it, pass --yes' });
    }
  });

  it('exits as its command does, and says that a read-only profile is so for orgctl only', async () => {
    const env = { ...withProfileFile(profiles), PATH };
    const run = (...args: string[]) => runCli(['exec', '-p', ...args], { env });
    const ended = await run('reader', '--', process.execPath, '-e', 'process.exit(7)');
    expect(ended).toMatchObject({ code: 7, stderr: expect.stringMatching(limits) });
    expect((await run('plain', '--', 'no-such-command')).code).toBe(127);
    expect((await run('none', '--', 'true')).code).toBe(3);
    expect((await run('plain')).code).toBe(2);
  });
});

describe('the guard of a read-only profile', () => {
  const env = { ...withProfileFile(profiles), PATH };

  it.each<[string, string, object]>([
    ['goes with that profile', 'reader', {}],
    ['goes on from the shell, also with another profile', 'plain', { ORGCTL_READ_ONLY: 'true' }],
  ])('%s into a command', async (_what, name, more) => {
    const { ended, report } = await exec(['-p', name, '--'], { ...more });
    expect(ended.code).toBe(0);
    expect(readReport(report).env).toMatchObject({ ORGCTL_READ_ONLY: '1' });
  });

  it('comes with profile env, and goes with that of another profile', async () => {
    const print = async (name: string) => (await runCli(['profile', 'env', name], { env })).stdout;
    expect(await print('reader')).toContain("export ORGCTL_READ_ONLY='1'\n");
    expect(await print('plain')).toMatch(/^unset .*\bORGCTL_READ_ONLY\b/);
  });
});

describe('profile env', () => {
  const env = { ...withProfileFile(profiles), PATH };

  it.each(['plain', 'command'])('asks before it shows the secret of %s on a terminal', async (name) => {
    const print = (stdin: string, ...more: string[]) =>
      runCli(['profile', 'env', name, ...more], { env, isTTY: true, stdin });
    const question = expect.stringContaining(`Print the secret of profile "${name}"? [y/N]`);
    expect(await print('n\r')).toMatchObject({ code: 130, stdout: '', stderr: question });
    const stdout = expect.stringContaining('ORGCTL_SECRET=');
    for (const ended of [await print('y\r'), await print('', '--yes')])
      expect(ended).toMatchObject({ code: 0, stdout });
  });

  it.for(['sh', 'bash'])('leaves nothing of another profile in %s', async (shell, { skip }) => {
    skip(isMissing(shell), `${shell} is not installed`);
    const evals: string[] = [];
    for (const name of ['plain', 'command'])
      evals.push((await runCli(['profile', 'env', name, '--yes'], { env })).stdout);
    const script = 'set -eu; eval "$1"; eval "$2"; env | grep ^ORGCTL_ | sort';
    const stale = { PATH, ORGCTL_SECRET_FILE: '/other', ORGCTL_PROFILE: 'plain', ORGCTL_RETRIES: '0' };
    const left = execFileSync(shell, ['-c', script, shell, ...evals], { encoding: 'utf8', env: stale });
    expect(left.trimEnd().split('\n')).toEqual(
      Object.entries(fromCommand).map(([name, value]) => `${name}=${value}`),
    );
  });

  it('prints what a shell reads back, and an object as JSON', async () => {
    const { stdout } = await runCli(['profile', 'env'], { env });
    const script = 'eval "$1"; printf %s "$ORGCTL_SECRET"';
    expect(execFileSync('sh', ['-c', script, 'sh', stdout], { encoding: 'utf8' })).toBe(secret);
    const json = await runCli(['profile', 'env', 'command', '--yes', '-o', 'json'], { env });
    expect(JSON.parse(json.stdout)).toEqual(fromCommand);
  });
});
