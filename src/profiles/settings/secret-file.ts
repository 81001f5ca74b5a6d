import type { Stats } from 'node:fs';
import { secretLength } from '../../api/resources/key-form.js';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { effectiveUser } from '../../platform/own-file.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { quoteForShell } from '../../text/shell-quote.js';
import { decodeSecret } from './secret-text.js';
import { givenSetting, type SettingsEnvironment, type Sourced, settings } from './settings.js';

export const secretFileVariable = 'ORGCTL_SECRET_FILE';

/** Bytes; a larger file cannot be a secret. */
const longestSecret = 64 * 1024;

const secretVariables = [settings.secret.env, secretFileVariable] as const;

export function isSecretInEnvironment(env: SettingsEnvironment): boolean {
  return secretVariables.some((name) => Boolean(env[name]));
}

/** The secret in `ORGCTL_SECRET`, or in the file that `ORGCTL_SECRET_FILE` names. @throws ConfigError */
export function secretInEnvironment(
  env: SettingsEnvironment,
  platform: NodeJS.Platform,
): Sourced<string> | undefined {
  const path = env[secretFileVariable];
  if (!path) return givenSetting(settings.secret, {}, env);
  if (env[settings.secret.env]) {
    throw new ConfigError(`${secretVariables.join(' and ')} are both set`, {
      hint: `unset one of them: unset ${settings.secret.env}`,
    });
  }
  const secret = decodeSecret(readSecretFile(path, platform), (what, cause) => {
    return new ConfigError(`${secretFileVariable}: ${path} ${what}`, { cause });
  });
  if (secret === '') throw new ConfigError(`${secretFileVariable}: ${path} is empty`);
  return { value: secret, source: { kind: 'env', name: secretFileVariable } };
}

function readSecretFile(path: string, platform: NodeJS.Platform): Buffer {
  let found: Stats | undefined;
  const content = readOwn(path, (stats) => {
    if (platform !== 'win32') found = stats;
    if (found !== undefined) assertOwner(path, found);
  });
  if (found !== undefined && (found.mode & 0o077) !== 0) throw openFile(path, found, content);
  return content;
}

function readOwn(path: string, check: (found: Stats) => void): Buffer {
  try {
    return readRegularFile(path, longestSecret, check);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${secretFileVariable}: ${path}: ${describeFileError(error)}`, {
      hint: `correct or unset ${secretFileVariable}`,
      cause: error,
    });
  }
}

function assertOwner(path: string, { uid }: Stats): void {
  const user = effectiveUser();
  if (user === undefined || uid === user || uid === 0) return;
  throw new ConfigError(`${secretFileVariable}: ${path} belongs to another user (${uid})`, {
    hint: copyHint,
  });
}

const copyHint = 'copy the secret to a file of your own with mode 600';

/** A file that holds something else than a secret, such as `/etc/passwd`, may be for everyone. */
const onlySecret = new RegExp(`^\\S{${secretLength}}\\s*$`);

function openFile(path: string, { mode, uid }: Stats, content: Buffer): ConfigError {
  const bits = (mode & 0o777).toString(8);
  const isOurs = uid === effectiveUser() && onlySecret.test(content.toString());
  return new ConfigError(`${secretFileVariable}: ${path} is accessible to other users (mode ${bits})`, {
    hint: isOurs ? `make it private: chmod 600 ${quoteForShell(path)}` : copyHint,
  });
}
