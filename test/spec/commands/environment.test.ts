import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startServer } from '../../../src/server/index.js';
import { makeAuthority } from '../../support/certificates.js';
import { connectProxy } from '../../support/connect-proxy.js';
import { hostilePeer } from '../../support/hostile-peer.js';
import { memorySystem } from '../../support/memory-system.js';
import { emptyEnvironment, errorOf, runCli, runMain, temporaryDirectory } from '../../support/run-cli.js';

it.each([
  [['-o', 'json', 'profile', 'list']],
  [['profile', 'list', '-o', 'json']],
  [['-o', 'csv', 'profile', '-o', 'yaml', 'list', '-o', 'json']],
  [['-qo', 'json', 'profile', 'list']],
])('global options are accepted anywhere: %j', async (args) => {
  expect(await runCli(args)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

describe('a bug in orgctl', () => {
  /** Runs in a process whose environment breaks when a variable is looked up: nothing expects that. */
  async function broken(...args: string[]) {
    const fault = new TypeError(`no such thing\u001b[2J`, { cause: new RangeError('out of it') });
    const env = new Proxy(emptyEnvironment(), {
      get(target, name) {
        if (name === 'ORGCTL_BASE_URL') throw fault;
        return Reflect.get(target, name);
      },
    });
    const system = memorySystem({ env, argv: args });
    const code = await runMain(system);
    return { code, stdout: system.stdoutText(), stderr: system.stderrText() };
  }

  it('exits 1 and says how to report it, and with --verbose alone where it came from', async () => {
    const ended = await broken('quotas');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^error: internal error: no such thing\\u\{1b\}\[2J\nhint: .*report.*--verbose.*\n$/,
    );
    const { stderr } = await broken('quotas', '-v');
    expect(stderr).toMatch(/^TypeError: no such thing\\u\{1b\}\[2J\n {4}at /);
    expect(stderr).toMatch(/\ncaused by RangeError: out of it\n {4}at /);
    expect(stderr).toMatch(/\nerror: internal error: .*\nhint: .*\n$/);
  });

  it.each([[[]], [['-v']]])('ends with a JSON line for scripts, also with %j', async (flags) => {
    const { code, stderr } = await broken('quotas', '-o', 'json', ...flags);
    const line = stderr.trimEnd().split('\n').at(-1) ?? '';
    expect([code, JSON.parse(line)]).toMatchObject([1, { error: { code: 'internal', exitCode: 1 } }]);
  });
});

afterEach(() => vi.unstubAllEnvs());

const key = ['--base-url', 'http://127.0.0.1:9', '--key-id', 'key_a', '--no-verify'];
const secret = { ORGCTL_SECRET: 'a'.repeat(64) };

/** Commands that would make something of their own below HOME. */
const writing = [
  [['profile', 'add', 'x', ...key, '--secret-env', 'ORGCTL_SECRET'], 3],
  [['serve', '--port', '0', '--no-console', '--http'], 3],
  [['serve', '--detach', '--port', '0', '--no-console', '--http'], 3],
] as const;

it.each(writing)('a HOME that is not there is not made, and named: %j', async (command, code) => {
  const directory = temporaryDirectory();
  const home = join(directory, 'none', 'home');
  vi.stubEnv('HOME', home);
  const ended = await runCli(command, { env: { HOME: home, ...secret } });
  expect(ended).toMatchObject({
    code,
    stdout: '',
    stderr: expect.stringMatching(/ORGCTL_CONFIG_DIR|another data directory|--data/),
  });
  expect(ended.stderr).toContain('HOME does not name a directory that exists');
  expect(readdirSync(directory)).toEqual([]);
});

it('doctor refuses what is refused, and sends a proxy no password, though Node is told to verify nothing', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const tls = await (await makeAuthority('Another CA')).issue(['127.0.0.1']);
  const failedCheck = async (address: string, variables = {}) => {
    const own = { ORGCTL_BASE_URL: address, ORGCTL_KEY_ID: '7', ...secret, ...variables };
    const args = ['doctor', '-o', 'json', '--query', "[?result=='failed'].check"];
    const { code, stdout } = await runCli(args, { env: { ...emptyEnvironment(), ...own } });
    return [code, JSON.parse(stdout)];
  };
  const peer = await hostilePeer(() => undefined, { tls });
  expect([await failedCheck(peer.origin), peer.requests]).toEqual([[9, ['tls']], []]);
  const proxy = await connectProxy({ tls });
  const HTTPS_PROXY = `https://me:proxy-password@127.0.0.1:${proxy.port}`;
  const behind = await failedCheck('https://api.example', { HTTPS_PROXY });
  expect([behind, proxy.heads]).toEqual([[9, ['proxy']], []]);
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it('data of another version is refused and stays as it is', async () => {
  const data = join(temporaryDirectory(), 'data');
  await (await startServer({ data, http: true })).close();
  const path = join(data, 'orgctl.db');
  const database = new Database(path);
  database.exec('update schema_version set version = 99');
  database.close();
  // SQLite counts in the header who opened the file.
  const content = () => digest(readFileSync(path).subarray(100));
  const before = content();
  const backup = join(temporaryDirectory(), 'backup.db');
  const other = join(temporaryDirectory(), 'other');
  for (const [args, named] of [
    [['serve', '--data', data, '--port', '0', '--no-profile'], data],
    [['serve', 'check', '--data', data], data],
    [['serve', 'backup', backup, '--data', data], backup],
    [['serve', 'restore', path, '--data', other], path],
    [['serve', 'rotate-master-key', '--data', data], data],
  ] as const) {
    const ended = await runCli([...args, '-o', 'json']);
    const message = expect.stringContaining('was written by another version of orgctl');
    expect([args[1], errorOf(ended)]).toMatchObject([args[1], { exitCode: 3, message }]);
    expect(errorOf(ended)['message']).toContain(named);
    expect(content()).toBe(before);
  }
  expect(existsSync(backup)).toBe(false);
});
