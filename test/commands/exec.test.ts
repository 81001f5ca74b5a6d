import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
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
});

describe('the guard of a read-only profile', () => {
  it.each<[string, string, object]>([
    ['goes with that profile', 'reader', {}],
    ['goes on from the shell, also with another profile', 'plain', { ORGCTL_READ_ONLY: 'true' }],
  ])('%s into a command', async (_what, name, more) => {
    const { ended, report } = await exec(['-p', name, '--'], { ...more });
    expect(ended.code).toBe(0);
    expect(readReport(report).env).toMatchObject({ ORGCTL_READ_ONLY: '1' });
  });
});
