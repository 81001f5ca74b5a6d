import type { SettingsEnvironment } from '../settings/settings.js';

/** Variables that only the server needs: master keys, its first key's secret, and a database URL with a password. */
export const serverSecrets = [
  'ORGCTL_SERVE_MASTER_KEY',
  'ORGCTL_SERVE_NEW_MASTER_KEY',
  'ORGCTL_SERVE_SECRET',
  'ORGCTL_SERVE_DATABASE',
] as const;

export const ownSecrets = ['ORGCTL_SECRET', 'ORGCTL_CONTROL_TOKEN', ...serverSecrets] as const;

/** @param names in upper case, because Windows ignores the case of names */
export function withoutVariables(
  env: SettingsEnvironment,
  names: readonly string[],
  platform: NodeJS.Platform,
): Record<string, string | undefined> {
  const left = new Set(names);
  const isLeft = (name: string) => left.has(platform === 'win32' ? name.toUpperCase() : name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isLeft(name)));
}
