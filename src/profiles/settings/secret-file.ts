import type { Stats } from 'node:fs';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { effectiveUser } from '../../platform/own-file.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { quoteForShell } from '../../text/shell-quote.js';
import { findOpenMode } from '../file/permissions.js';
import { findOddity } from './secret.js';
import { decodeSecret } from './secret-text.js';
import { givenSetting, type SettingsEnvironment, type Sourced, settings } from './settings.js';

export const secretFileVariable = 'ORGCTL_SECRET_FILE';

const correctHint = { hint: `correct or unset ${secretFileVariable}` };

/** Bytes; a larger file cannot be a secret. */
const longestSecret = 64 * 1024;

export function isSecretInEnvironment(env: SettingsEnvironment): boolean {
  return Boolean(env[settings.secret.env] || env[secretFileVariable]);
}

/** The secret in `ORGCTL_SECRET`, or in the file that `ORGCTL_SECRET_FILE` names. @throws ConfigError */
export function secretInEnvironment(env: SettingsEnvironment): Sourced<string> | undefined {
  const path = env[secretFileVariable];
  if (!path) return givenSetting(settings.secret, {}, env);
  if (env[settings.secret.env]) {
    throw new ConfigError(`${settings.secret.env} and ${secretFileVariable} are both set`, {
      hint: `unset one of them: unset ${settings.secret.env}`,
    });
  }
  const refuse = (what: string, cause?: unknown) =>
    new ConfigError(`${secretFileVariable}: ${path} ${what}`, { ...correctHint, cause });
  const value = decodeSecret(readSecretFile(path), refuse);
  const odd = findOddity(value);
  if (odd === undefined) return { value, source: { kind: 'env', name: secretFileVariable } };
  throw refuse(value === '' ? odd : `has a secret that ${odd}`);
}

/** Warns of a secret that others can read, as containers mount it. One that they can write is refused when it is read. */
export function findReadableSecret(env: SettingsEnvironment): string | undefined {
  const path = env[secretFileVariable];
  const mode = path ? findOpenMode(path) : undefined;
  if (mode === undefined || (mode & 0o022) !== 0) return undefined;
  return `${secretFileVariable}: other users can read ${path} (mode ${mode.toString(8)})`;
}

function readSecretFile(path: string): Buffer {
  try {
    return readRegularFile(path, longestSecret, (found) => assertUnwritable(path, found));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${secretFileVariable}: ${path}: ${describeFileError(error)}`, {
      ...correctHint,
      cause: error,
    });
  }
}

/** Whoever can change the file could choose the key that orgctl uses. @throws ConfigError */
function assertUnwritable(path: string, { uid, mode }: Stats): void {
  const user = effectiveUser();
  if (user === undefined) return;
  if (uid !== user && uid !== 0) {
    throw new ConfigError(`${secretFileVariable}: ${path} belongs to another user (${uid})`, {
      hint: 'copy the secret to a file of your own with mode 600',
    });
  }
  if ((mode & 0o022) === 0) return;
  const bits = (mode & 0o777).toString(8);
  throw new ConfigError(`${secretFileVariable}: other users can write to ${path} (mode ${bits})`, {
    hint: `make it private: chmod 600 ${quoteForShell(path)}`,
  });
}
