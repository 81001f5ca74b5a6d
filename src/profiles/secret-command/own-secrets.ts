import type { Environment } from '../settings/settings.js';

/** The variables that are for the server only: the keys to its data, and its database with the password. */
export const serverSecrets = [
  'ORGCTL_SERVE_MASTER_KEY',
  'ORGCTL_SERVE_NEW_MASTER_KEY',
  'ORGCTL_SERVE_SECRET',
  'ORGCTL_SERVE_DATABASE',
] as const;

/** All variables that hold a secret of orgctl's own. */
export const ownSecrets = ['ORGCTL_SECRET', 'ORGCTL_CONTROL_TOKEN', ...serverSecrets] as const;

/** An environment for another program, without these variables; Windows takes names in any case for the same. */
export function withoutVariables(
  env: Environment,
  names: readonly string[],
  platform: NodeJS.Platform,
): Record<string, string | undefined> {
  const left = new Set(names);
  const isLeft = (name: string) => left.has(platform === 'win32' ? name.toUpperCase() : name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isLeft(name)));
}
