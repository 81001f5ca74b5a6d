import { ConfigError, UsageError } from '../../errors/errors.js';
import type { Profile, ProfileFile } from './parse-profile-file.js';

export const emptyProfileFile: ProfileFile = { version: 1, profiles: {} };

export function findProfile(file: ProfileFile, name: string): Profile | undefined {
  return Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
}

/** Whether a rotation of the profile's key is unfinished. */
export function isRotating({ pending, retiring }: Profile): boolean {
  return pending !== undefined || retiring !== undefined;
}

export function isProfileName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text);
}

/** @throws UsageError describing valid names */
export function parseProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is not a profile name: use 1 to 64 letters, digits, "_" or "-", starting with a letter or digit`,
  );
}

/** @throws UsageError when the name is taken or invalid */
export function assertFree(file: ProfileFile, name: string): void {
  if (findProfile(file, parseProfileName(name)) === undefined) return;
  throw new UsageError(`profile ${JSON.stringify(name)} already exists`, {
    hint: `change it: orgctl profile set ${name}`,
  });
}

export const firstProfileHint = 'add one: orgctl profile add NAME --base-url https://… --key-id key_…';

export function namesHint({ profiles }: ProfileFile): string {
  const names = Object.keys(profiles).join(', ');
  return names === '' ? firstProfileHint : `existing profiles: ${names}; choose one with --profile NAME`;
}

/** @param from ends the message @throws ConfigError if the name is unknown */
export function requireProfile(file: ProfileFile, name: string, from = ''): Profile {
  const profile = findProfile(file, name);
  if (profile !== undefined) return profile;
  throw new ConfigError(`profile ${JSON.stringify(name)} not found${from}`, { hint: namesHint(file) });
}
