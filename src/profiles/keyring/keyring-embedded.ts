import { type ChildProcess, fork } from 'node:child_process';
import { ConfigError, readMessage } from '../../errors/errors.js';
import type { SettingsEnvironment } from '../settings/settings.js';

export const keyringArgument = '__keyring';

/** For the standalone executable, which starts itself and extracts the native module. */
export function startKeyringProcess(env: SettingsEnvironment): ChildProcess {
  return fork(keyringArgument, [], {
    env: { ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

export function missingPackage(cause: unknown): ConfigError {
  const reason = cause instanceof Error ? readMessage(cause) : String(cause);
  return new ConfigError(`the keyring cannot be used, because its module cannot be loaded: ${reason}`, {
    hint: 'set XDG_CACHE_HOME to a directory that this user can write and run programs from, or let the profile run a command: orgctl profile set NAME --secret-command CMD',
    cause,
  });
}
