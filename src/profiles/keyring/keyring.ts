import type { ChildProcess } from 'node:child_process';
import { ConfigError, messageOf } from '../../errors/errors.js';
import type { Profile } from '../file/profile-file.js';
import { displayKeyId } from '../settings/secret.js';
import type { Environment } from '../settings/settings.js';
import type { KeyringCall } from './keyring-process.js';

/** Where a secret is in the operating system's keyring. */
export interface KeyringEntry {
  readonly service: 'orgctl';
  /** Made of origin and key ID, which a secret belongs to; not of the profile's name, which may change. */
  readonly account: string;
}

export interface KeyringOptions {
  /** Whose secret it is, for messages: `profile "prod"`. */
  readonly owner: string;
  /** Says how the keyring is reached, such as `DBUS_SESSION_BUS_ADDRESS`. */
  readonly env: Environment;
  /** Milliseconds of one call; 3 s by default. */
  readonly timeout?: number | undefined;
}

const defaultTimeout = 3000;

/** The entry of a profile's secret. @throws ConfigError when the profile's base URL is not a URL */
export function keyringEntry({ baseUrl, keyId }: Pick<Profile, 'baseUrl' | 'keyId'>): KeyringEntry {
  if (!URL.canParse(baseUrl)) throw new ConfigError('the base URL of the profile is not a URL');
  return { service: 'orgctl', account: `${keyId} ${new URL(baseUrl).origin}` };
}

/**
 * The secret that the keyring has.
 *
 * @throws ConfigError when it has none, or is locked, which looks the same; when it cannot be reached, or does not
 * answer in time
 */
export async function readKeyring(entry: KeyringEntry, options: KeyringOptions): Promise<string> {
  const secret = await ask({ ...entry, call: 'read' }, options);
  if (secret) return secret;
  throw new ConfigError(
    `the keyring returned no secret for ${options.owner} (${describeEntry(entry)}): it is locked, or has no such entry`,
    {
      hint: `${unlockHint}; if the entry is gone, store it again: orgctl profile set NAME --keyring --ask-secret`,
    },
  );
}

/** Stores a secret and reads it back. @throws ConfigError when the keyring does not have it afterwards */
export async function writeKeyring(
  entry: KeyringEntry,
  secret: string,
  options: KeyringOptions,
): Promise<void> {
  if ((await ask({ ...entry, call: 'write', secret }, options)) === secret) return;
  throw new ConfigError(`the keyring took the secret of ${options.owner} and does not return it`, {
    hint: unlockHint,
  });
}

/**
 * Removes an entry, if there is one.
 *
 * @throws ConfigError also when the keyring is locked, which would otherwise look like no entry
 */
export async function removeFromKeyring(entry: KeyringEntry, options: KeyringOptions): Promise<void> {
  await ask({ ...entry, call: 'remove' }, options);
}

const unlockHint =
  'unlock the keyring, by logging in to the desktop or, without one, with gnome-keyring-daemon --unlock';

// The package blocks while it connects to the keyring, however long that takes, so it runs in a process of its own.
async function ask(call: KeyringCall, options: KeyringOptions): Promise<string | null> {
  // Loads zod and child_process, which other profiles do without.
  const { missingPackage, startKeyringProcess } = await import('./keyring-package.js');
  const { keyringAnswerSchema } = await import('./keyring-process.js');
  const child = startKeyringProcess(options.env);
  try {
    const answer = keyringAnswerSchema.parse(await answerOf(child, call, options));
    if ('value' in answer) return answer.value;
    throw answer.isMissing ? missingPackage(answer.error) : failure(options, `failed: ${answer.error}`);
  } finally {
    child.kill('SIGKILL');
  }
}

function answerOf(child: ChildProcess, call: KeyringCall, options: KeyringOptions): Promise<unknown> {
  const limit = options.timeout ?? defaultTimeout;
  return new Promise((resolve, reject) => {
    const giveUp = (what: string) => reject(failure(options, what));
    // The process alone is waited for.
    setTimeout(giveUp, limit, `did not answer within ${limit / 1000} s`).unref();
    child.once('message', resolve);
    // What cannot be started cannot be sent anything either: a second one.
    child.on('error', (error) => giveUp(`could not be asked: ${messageOf(error)}`));
    child.once('exit', (code, signal) =>
      giveUp(`could not be asked: its process ended with ${signal ?? code}`),
    );
    child.send(call);
  });
}

function failure({ owner }: KeyringOptions, what: string): ConfigError {
  return new ConfigError(`the keyring, asked for the secret of ${owner}, ${what}`, {
    hint: `${unlockHint}; on Linux it is the Secret Service (gnome-keyring, KWallet, KeePassXC) of the session bus`,
  });
}

/** How messages name an entry. */
export function describeEntry({ service, account }: KeyringEntry): string {
  const end = account.indexOf(' ');
  return `service ${service}, account ${displayKeyId(account.slice(0, end))}${account.slice(end)}`;
}
