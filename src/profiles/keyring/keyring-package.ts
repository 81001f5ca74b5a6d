import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import type { ConfigError } from '../../errors/errors.js';
import { refuseMissingPackage } from '../../errors/missing-package.js';
import type { SettingsEnvironment } from '../settings/settings.js';
import { keyringProgram } from './keyring-program.js';

const packageName = '@napi-rs/keyring';

/** The secret passes only through IPC. @throws ConfigError if the package is missing */
export function startKeyringProcess(env: SettingsEnvironment): ChildProcess {
  return fork(findInstalled(), [], {
    env: { ...env },
    execArgv: ['-e', `(${keyringProgram})(process, () => require(process.argv[1]))`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

export function missingPackage(cause: unknown): ConfigError {
  return refuseMissingPackage('the keyring cannot be used', packageName, { cause });
}

function findInstalled(): string {
  try {
    return createRequire(import.meta.url).resolve(packageName);
  } catch (cause) {
    throw missingPackage(cause);
  }
}
