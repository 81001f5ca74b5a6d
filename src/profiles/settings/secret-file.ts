import { ConfigError, describeFileError } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { findOpenMode, requireTrustedFile } from '../file/permissions.js';
import { findOddity } from './secret.js';
import { decodeSecret } from './secret-text.js';
import { givenSetting, type Setting, type SettingsEnvironment, type Sourced, settings } from './settings.js';

export const secretFileVariable = 'ORGCTL_SECRET_FILE';

/** The variables of all settings. */
export const settingVariables: readonly string[] = [
  secretFileVariable,
  ...Object.values<Setting<unknown>>(settings).flatMap(({ env }) => env ?? []),
];

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
    new ConfigError(`${secretFileVariable}: ${path}${what}`, {
      hint: `correct or unset ${secretFileVariable}`,
      cause,
    });
  const value = decodeSecret(readSecretFile(path, refuse), (what, cause) => refuse(` ${what}`, cause));
  const odd = findOddity(value);
  if (odd === undefined) return { value, source: { kind: 'env', name: secretFileVariable } };
  throw refuse(value === '' ? ` ${odd}` : ` has a secret that ${odd}`);
}

/** Warns of a secret that others can read, as containers mount it. One that they can write is refused when it is read. */
export function findReadableSecret(env: SettingsEnvironment): string | undefined {
  const path = env[secretFileVariable];
  const mode = path ? findOpenMode(path) : undefined;
  if (mode === undefined || (mode & 0o022) !== 0) return undefined;
  return `${secretFileVariable}: other users can read ${path} (mode ${mode.toString(8)})`;
}

/** Whoever can change the file could choose the key that orgctl uses. @throws ConfigError */
function readSecretFile(path: string, refuse: (what: string, cause: unknown) => ConfigError): Buffer {
  try {
    return readRegularFile(path, longestSecret, (found) => requireTrustedFile(path, found));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw refuse(`: ${describeFileError(error)}`, error);
    throw new ConfigError(`${secretFileVariable}: ${error.message}`, error.details);
  }
}
