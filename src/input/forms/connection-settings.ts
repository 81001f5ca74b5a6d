import { connections, isPostgres, postgresDefaults } from '../../api/resources/connection.js';
import type { Resource } from '../../api/resources/resource.js';
import { replaceReferences, type SecretReference } from './secret-reference.js';

export interface SettingProblem {
  readonly path: readonly (string | number)[];
  readonly what: string;
}

const shortName = 'password_env';

/** Replaces PostgreSQL's `password_env: NAME` with `password: { env: NAME }`; keeps other forms. */
export function expandPasswordVariable(type: unknown, config: Readonly<Resource>): Readonly<Resource> {
  if (!isPostgres(type) || whyNotShort(config) !== undefined) return config;
  const { [shortName]: variable, ...others } = config;
  return variable === undefined ? config : { ...others, password: { env: variable } };
}

/** Why `password_env` in PostgreSQL settings cannot be used; `undefined` if it can be used or is absent. */
export function whyNotShort(config: Readonly<Resource>): SettingProblem | undefined {
  if (!Object.hasOwn(config, shortName)) return undefined;
  const path = [shortName];
  if (Object.hasOwn(config, 'password')) return { path, what: 'cannot be combined with password' };
  const variable = config[shortName];
  return typeof variable === 'string' && variable !== '' ? undefined : { path, what: 'not a variable name' };
}

export type FoundSecret = { readonly secret: string } | { readonly what: string };

/** Settings to send, with secrets in place of references, and with PostgreSQL's default for a missing `port` or `ssl`. */
export function completeSettings(
  type: unknown,
  config: Readonly<Resource>,
  findSecret: (reference: SecretReference) => FoundSecret,
): { readonly config: Resource; readonly problems: readonly SettingProblem[] } {
  const misfit = isPostgres(type) ? whyNotShort(config) : undefined;
  const problems: SettingProblem[] = misfit === undefined ? [] : [misfit];
  const expanded = expandPasswordVariable(type, config);
  const read = replaceReferences(expanded, connections.secretSettings(type), ({ reference, path }) => {
    const found = findSecret(reference);
    if ('secret' in found) return found.secret;
    const isShort = expanded !== config && path[0] === 'password';
    problems.push({ path: isShort ? [shortName] : path, what: found.what });
    return '';
  });
  if (!isPostgres(type)) return { config: read, problems };
  const { [shortName]: _, ...others } = read;
  // If `password_env` is unusable, that is already reported, so the password must not be reported as missing.
  const password = misfit === undefined ? {} : { password: '' };
  return { config: { ...password, ...others, ...missingDefaults(others) }, problems };
}

/** Default values of the PostgreSQL settings that `config` lacks. */
export function missingDefaults(config: Readonly<Resource>): Resource {
  return Object.fromEntries(
    Object.entries(postgresDefaults).filter(([name]) => !Object.hasOwn(config, name)),
  );
}
