import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { ConfigError, refuseMissingPackage } from '../../errors/errors.js';
import { isStandalone } from '../../platform/version.js';
import type { SettingsEnvironment } from '../settings/settings.js';
import { keyringProgram } from './keyring-program.js';

const packageName = '@napi-rs/keyring';

/** The secret passes only through IPC. @throws ConfigError if the package is missing, as it is in the executable */
export function startKeyringProcess(env: SettingsEnvironment): ChildProcess {
  if (isStandalone())
    throw new ConfigError('the keyring cannot be used: the single executable does not contain it', {
      hint: 'install orgctl with npm, or let the profile run a command: orgctl profile set NAME --secret-command CMD',
    });
  return fork(findInstalled(), [], {
    env: { ...env },
    execArgv: ['-e', `(${keyringProgram})(process, () => require(process.argv[1]))`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

export function missingPackage(cause: unknown): ConfigError {
  return refuseMissingPackage('the keyring cannot be used', packageName, cause);
}

function findInstalled(): string {
  try {
    return createRequire(import.meta.url).resolve(packageName);
  } catch (cause) {
    throw missingPackage(cause);
  }
}
