import { connections, isPostgres, postgresDefaults } from '../../api/resources/connection.js';
import type { Resource } from '../../api/resources/resource.js';
import { replaceReferences, type SecretReference } from './secret-reference.js';

export interface SettingProblem {
  readonly path: readonly (string | number)[];
  readonly what: string;
}

export type FoundSecret = { readonly secret: string } | { readonly what: string };

/** With secrets in place of references, and PostgreSQL's default for a missing `port` or `ssl`. */
export function completeSettings(
  type: unknown,
  config: Readonly<Resource>,
  findSecret: (reference: SecretReference) => FoundSecret,
): { readonly config: Resource; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const read = replaceReferences(config, connections.secretSettings(type), ({ reference, path }) => {
    const found = findSecret(reference);
    if ('secret' in found) return found.secret;
    problems.push({ path, what: found.what });
    return '';
  });
  return { config: isPostgres(type) ? { ...read, ...missingDefaults(read) } : read, problems };
}

export function missingDefaults(config: Readonly<Resource>): Resource {
  return Object.fromEntries(
    Object.entries(postgresDefaults).filter(([name]) => !Object.hasOwn(config, name)),
  );
}
