import type { ChildProcess } from 'node:child_process';
import { ConfigError, readMessage, toInterruption } from '../../errors/errors.js';
import type { Profile } from '../file/profile-file.js';
import { displayKeyId } from '../settings/secret.js';
import type { SettingsEnvironment } from '../settings/settings.js';
import type { KeyringCall } from './keyring-process.js';

export interface KeyringEntry {
  readonly service: 'orgctl';
  /** Key ID and origin, because a profile's name may change. */
  readonly account: string;
}

export interface KeyringOptions {
  readonly owner: string;
  /** The name of the profile that has the secret. */
  readonly profile: string;
  readonly env: SettingsEnvironment;
  /** Milliseconds; default: 3 s. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const keyringTimeout = 3000;

/** @throws ConfigError if the profile's base URL is not a URL */
export function keyringEntry({ baseUrl, keyId }: Pick<Profile, 'baseUrl' | 'keyId'>): KeyringEntry {
  if (!URL.canParse(baseUrl)) throw new ConfigError('the base URL of the profile is not a URL');
  return { service: 'orgctl', account: `${keyId} ${new URL(baseUrl).origin}` };
}

/** A locked keyring looks like one without the secret. @throws ConfigError if the keyring returns no secret */
export async function readKeyring(entry: KeyringEntry, options: KeyringOptions): Promise<string> {
  const secret = await askKeyring({ ...entry, call: 'read' }, options);
  if (secret) return secret;
  throw new ConfigError(
    `the keyring returned no secret for ${options.owner} (${describeEntry(entry)}): it is locked, or has no such entry`,
    {
      hint: `${unlockHint}; if the entry was deleted, store it again: orgctl profile set ${options.profile} --keyring --ask-secret`,
    },
  );
}

/** @throws ConfigError if the keyring does not return the secret afterward */
export async function writeKeyring(
  entry: KeyringEntry,
  secret: string,
  options: KeyringOptions,
): Promise<void> {
  if ((await askKeyring({ ...entry, call: 'write', secret }, options)) === secret) return;
  throw new ConfigError(`the keyring accepted the secret of ${options.owner}, but does not return it`, {
    hint: unlockHint,
  });
}

/** @throws ConfigError if the keyring is locked or fails */
export async function removeFromKeyring(entry: KeyringEntry, options: KeyringOptions): Promise<void> {
  await askKeyring({ ...entry, call: 'remove' }, options);
}

const unlockHint = 'unlock the keyring: log in to the desktop, or run gnome-keyring-daemon --unlock';

// The package blocks while it connects to the keyring, so it runs in its own process.
async function askKeyring(call: KeyringCall, options: KeyringOptions): Promise<string | null> {
  // Loads zod and child_process, which profiles without a keyring do not need.
  const { missingPackage, startKeyringProcess } = await import('./keyring-package.js');
  const { keyringAnswerSchema } = await import('./keyring-process.js');
  const child = startKeyringProcess(options.env);
  try {
    const answer = keyringAnswerSchema.parse(await readKeyringAnswer(child, call, options));
    if ('value' in answer) return answer.value;
    throw answer.isMissing ? missingPackage(answer.error) : keyringFailure(options, 'failed', answer.error);
  } finally {
    child.kill('SIGKILL');
  }
}

function readKeyringAnswer(
  child: ChildProcess,
  call: KeyringCall,
  options: KeyringOptions,
): Promise<unknown> {
  const limit = options.timeout ?? keyringTimeout;
  return new Promise((resolve, reject) => {
    const giveUp = (what: string, why?: string) => reject(keyringFailure(options, what, why));
    setTimeout(giveUp, limit, `did not answer within ${limit / 1000} s`).unref();
    child.once('message', resolve);
    // Not `once`: sending to a process that failed to start emits a second error.
    child.on('error', (error) => giveUp('could not be reached', readMessage(error)));
    const interrupt = () => reject(toInterruption(options.signal));
    options.signal?.addEventListener('abort', interrupt, { once: true });
    child.once('exit', (code, signal) => {
      if (signal === 'SIGINT') interrupt();
      giveUp('could not be reached', `its process ended with ${signal ?? code}`);
    });
    child.send(call);
  });
}

function keyringFailure({ owner }: KeyringOptions, what: string, why?: string): ConfigError {
  const reason = why === undefined ? '' : `: ${why}`;
  return new ConfigError(`the keyring ${what} for the secret of ${owner}${reason}`, { hint: unlockHint });
}

export function describeEntry({ service, account }: KeyringEntry): string {
  const end = account.indexOf(' ');
  return `service ${service}, account ${displayKeyId(account.slice(0, end))}${account.slice(end)}`;
}
