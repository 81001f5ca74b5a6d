import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isMissing } from '../../support/programs.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../../support/run-cli.js';
import { useService } from '../../support/service.js';

const run = promisify(execFile);

function isKeyringMissing(): boolean {
  return isMissing('dbus-run-session', 'dbus-send', 'gnome-keyring-daemon');
}

/** A session bus with its own unlocked keyring, for one test. */
async function startKeyring() {
  const home = temporaryDirectory();
  const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home };
  const daemon = 'exec gnome-keyring-daemon --unlock --foreground --components=secrets >/dev/null';
  const session = spawn('dbus-run-session', ['--', 'sh', '-c', `echo $DBUS_SESSION_BUS_ADDRESS; ${daemon}`], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const { pid = 0 } = session;
  onTestFinished(() => {
    process.kill(-pid);
  });
  session.stdin.end('password of the keyring');
  const [address] = await once(session.stdout, 'data');
  const bus = { ...env, DBUS_SESSION_BUS_ADDRESS: String(address).trim() };
  const call = async (destination: string, path: string, ...message: string[]) => {
    const args = ['--print-reply', `--dest=${destination}`, path, ...message];
    return (await run('dbus-send', args, { env: bus })).stdout;
  };
  // Calling the keyring too early would start another one, which is locked.
  const owner = ['org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'];
  await expect.poll(() => call('org.freedesktop.DBus', '/', ...owner)).toContain('boolean true');
  const secrets = '/org/freedesktop/secrets';
  return {
    env: { ...emptyEnvironment(), DBUS_SESSION_BUS_ADDRESS: bus.DBUS_SESSION_BUS_ADDRESS },
    lock: () =>
      call(
        'org.freedesktop.secrets',
        secrets,
        'org.freedesktop.Secret.Service.Lock',
        `array:objpath:${secrets}/collection/login`,
      ),
    count: async () => {
      const search = ['org.freedesktop.Secret.Service.SearchItems', 'dict:string:string:service,orgctl'];
      return (await call('org.freedesktop.secrets', secrets, ...search)).match(/object path/g)?.length ?? 0;
    },
  };
}

type Env = Record<string, string | undefined>;

const service = useService({ http: false });
const secret = 's'.repeat(64);

function place() {
  const { url, keyId, caFile } = service.server;
  return ['--base-url', url, '--key-id', keyId, '--ca-file', String(caFile)];
}

function addReal(env: Env, name = 'here') {
  const args = ['profile', 'add', name, ...place(), '--secret-stdin', '--keyring'];
  return runCli(args, { env, stdin: service.server.secret });
}

function addUntried(env: Env) {
  const there = ['--base-url', 'https://api.example.com', '--key-id', 'key_abc'];
  return runCli(['profile', 'add', 'far', ...there, '--secret-stdin', '--keyring', '--no-verify'], {
    env,
    stdin: secret,
  });
}

function fileOf(env: Env): string {
  return readFileSync(join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json'), 'utf8');
}

async function namesIn(env: Env): Promise<string> {
  return (await runCli(['profile', 'list', '-o', 'json', '--query', '[].name'], { env })).stdout.trim();
}

/** In the place of the package's native part: how a keyring behaves that none here can be brought to. */
function nativeStub(members: string) {
  const path = join(temporaryDirectory(), 'native.cjs');
  writeFileSync(path, `module.exports = { Entry: class { ${members} } };`);
  return { NAPI_RS_NATIVE_LIBRARY_PATH: path };
}

describe.skipIf(isKeyringMissing())('a profile whose secret is in the keyring', () => {
  it('works, says so, keeps it when it is renamed, and takes it along when it is removed', async () => {
    const { env, count } = await startKeyring();
    const run = (line: string) => runCli(line.split(' '), { env });
    const added = await addReal(env);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('in the keyring') });
    expect(fileOf(env)).not.toContain(service.server.secret);
    expect(JSON.parse(fileOf(env)).profiles.here).toMatchObject({ keyring: true });
    expect(await run('doctor')).toMatchObject({ code: 0 });
    for (const line of ['whoami', 'profile show'])
      expect(await run(line)).toMatchObject({ code: 0, stdout: expect.stringContaining('the keyring') });
    await addReal(env, 'twin');
    expect(await run('profile rename here there')).toMatchObject({ code: 0 });
    expect(await run('quotas -p there')).toMatchObject({ code: 0 });
    expect(await run('profile remove there')).toMatchObject({ code: 2 });
    expect(await run('profile remove there --yes')).toMatchObject({ code: 0 });
    expect(await run('quotas -p twin')).toMatchObject({ code: 0 });
    expect(await count()).toBe(1);
    expect(await run('profile remove twin --yes')).toMatchObject({ code: 0 });
    expect(await count()).toBe(0);
  });

  it('is missed when its entry is gone, or while the keyring is locked, and is then not stored either', async () => {
    const { env, lock } = await startKeyring();
    const remove = ['profile', 'remove', 'here', '--yes'];
    await addReal(env);
    const elsewhere = { ...env, ORGCTL_CONFIG_DIR: temporaryDirectory() };
    await addReal(elsewhere);
    await runCli(remove, { env: elsewhere });
    const gone = await runCli(['quotas'], { env });
    const stderr = expect.stringMatching(/it is locked, or does not have it\n.*unlock the keyring/);
    expect(gone).toMatchObject({ code: 3, stderr });
    expect(await runCli(remove, { env })).toMatchObject({ code: 0 });
    await addReal(env);
    await lock();
    const used = await runCli(['quotas'], { env });
    expect(used).toMatchObject({ code: 3, stderr: expect.stringContaining('unlock the keyring') });
    expect(await runCli(remove, { env })).toMatchObject({ code: 3 });
    expect(await addUntried(env)).toMatchObject({ code: 3 });
    expect(fileOf(env)).not.toContain(secret);
    expect(JSON.parse(await namesIn(env))).toEqual(['here']);
  });
});

describe('a keyring that cannot be used', () => {
  async function refused(own: Env, because: string | RegExp): Promise<void> {
    const env = { ...emptyEnvironment(), ...own };
    const { code, stdout, stderr } = await addUntried(env);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(because) });
    expect(stdout + stderr).not.toContain(secret);
    expect(await namesIn(env)).toBe('[]');
  }

  it('is on Linux not the one in memory that the package falls back on', async () => {
    const construction = `constructor(service, account, options) {
      if (options?.linux?.store === 'secret-service') throw new Error('no Secret Service');
    }`;
    const own = nativeStub(`${construction} setPassword() {} getPassword() { return '${secret}'; }`);
    await refused(own, 'no Secret Service');
  });

  it('keeps its profile where it says that it has no entry, since it is locked', async () => {
    const locked = "setPassword() { throw new Error('locked'); } getPassword() { return null; }";
    const native = nativeStub(`${locked} deletePassword() { return false; }`);
    const profile = { baseUrl: 'https://api.example.com', keyId: 'key_abc', keyring: true };
    const directory = temporaryDirectory();
    const file = join(directory, 'profiles.json');
    writeFileSync(file, JSON.stringify({ version: 1, profiles: { far: profile } }), { mode: 0o600 });
    const env = { ...emptyEnvironment(), ...native, ORGCTL_CONFIG_DIR: directory };
    const { code, stderr } = await runCli(['profile', 'remove', 'far', '--yes'], { env });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/unlock the keyring/),
    });
    expect(JSON.parse(fileOf(env)).profiles).toEqual({ far: profile });
  });
});
