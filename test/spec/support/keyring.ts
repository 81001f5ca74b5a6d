import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { isMissing } from '../../support/programs.js';
import { emptyEnvironment, temporaryDirectory } from '../../support/run-cli.js';

const run = promisify(execFile);

export function isKeyringMissing(): boolean {
  return isMissing('dbus-run-session', 'dbus-send', 'gnome-keyring-daemon');
}

/** A session bus with its own unlocked keyring, for one test. */
export async function startKeyring() {
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
