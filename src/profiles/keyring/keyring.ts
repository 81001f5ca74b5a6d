import { createRequire } from 'node:module';
import { isSea } from 'node:sea';
import { ConfigError, refuseMissingPackage, toInterruption } from '../../errors/errors.js';
import type { Profile } from '../file/parse-profile-file.js';
import type { SettingsEnvironment } from '../settings/settings.js';

export interface KeyringOptions {
  readonly name: string;
  readonly env: SettingsEnvironment;
  /** Milliseconds; default: 3 s. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names an entry by key ID and origin: a profile's name may change. @throws ConfigError if the base URL is not a URL */
export function keyringAccount({ baseUrl, keyId }: Profile): string {
  if (!URL.canParse(baseUrl)) throw new ConfigError('the base URL of the profile is not a URL');
  return `${keyId} ${new URL(baseUrl).origin}`;
}

/**
 * Runs in its own process, because the package blocks while D-Bus is silent. Without `store`, Linux falls back to one that
 * is lost at reboot. A locked keyring reports no entry, so `remove` writes first. Each Entry caches, so `open` makes new ones.
 */
const program = `
const [file, call, account] = process.argv.slice(1);
process.once('uncaughtException', ({ message }) => { process.stderr.write(message); process.exitCode = 1; });
const { Entry } = require(file);
const open = () => new Entry('orgctl', account, { linux: { store: 'secret-service' } });
const entry = open();
if (call === 'write') entry.setPassword(require('node:fs').readFileSync(0, 'utf8'));
if (call === 'remove') { entry.setPassword('removed'); entry.deletePassword(); }
process.stdout.write(open().getPassword() ?? '');`;

const packageName = '@napi-rs/keyring';

/** Returns the secret that the keyring has afterwards. @throws ConfigError if the keyring is locked or fails */
export async function askKeyring(
  call: 'read' | 'write' | 'remove',
  account: string,
  { name, env, timeout = 3000, signal }: KeyringOptions,
  secret = '',
): Promise<string> {
  const { execFile } = await import('node:child_process');
  const args = ['-e', program, findPackage(), call, account];
  const limits = { env: { ...env }, timeout, killSignal: 'SIGKILL', signal } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, args, limits, (error, stdout, stderr) => {
      // A locked keyring looks like one without the secret.
      const isExpected = call === 'remove' || (call === 'read' ? stdout !== '' : stdout === secret);
      if (error === null && isExpected) return resolve(stdout);
      if (signal?.aborted || error?.signal === 'SIGINT') return reject(toInterruption(signal));
      const end = error?.killed ? `no answer within ${timeout / 1000} s` : (error?.signal ?? error?.code);
      const why = stderr || (end ?? 'it is locked, or does not have it');
      const message = `the keyring did not ${call} the secret of profile "${name}": ${why}`;
      const hint = `unlock the keyring, or store the secret again: orgctl profile set ${name} --keyring --ask-secret`;
      reject(new ConfigError(message, { hint }));
    });
    child.stdin?.on('error', () => undefined).end(secret);
  });
}

/** @throws ConfigError if npm has not installed the package */
function findPackage(): string {
  try {
    if (isSea()) throw new Error('the executable contains no package');
    return createRequire(import.meta.url).resolve(packageName);
  } catch (error) {
    throw refuseMissingPackage('the keyring cannot be used', packageName, error);
  }
}
