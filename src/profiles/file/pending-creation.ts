import { ConfigError } from '../../errors/errors.js';
import type { PendingCreation, Profile, ProfileFile } from './profile-file.js';
import { assertFree, findProfile } from './profile-file.js';

export function pendingCreation({ creating = {} }: ProfileFile, name: string): PendingCreation | undefined {
  return Object.hasOwn(creating, name) ? creating[name] : undefined;
}

/** The profile and record of a name as a run found them, before it creates a key. */
export interface FoundBefore {
  readonly left: PendingCreation | undefined;
  readonly hadProfile: boolean;
}

/**
 * @throws ConfigError if another process has started a creation since; UsageError if the name was free and is taken now
 */
export function withCreation(
  file: ProfileFile,
  name: string,
  creation: PendingCreation,
  { left, hadProfile }: FoundBefore,
): ProfileFile {
  assertSame(file, name, left);
  if (!hadProfile) assertFree(file, name);
  return { ...file, creating: { ...file.creating, [name]: creation } };
}

export function withCreated(
  file: ProfileFile,
  name: string,
  creation: PendingCreation,
  change: (profile: Profile | undefined) => Profile,
): ProfileFile {
  assertSame(file, name, creation);
  const profiles = { ...file.profiles, [name]: change(findProfile(file, name)) };
  const changed = { ...withoutCreation(file, name), profiles };
  return file.current === undefined && findProfile(file, name) === undefined
    ? { ...changed, current: name }
    : changed;
}

export function withoutCreation(file: ProfileFile, name: string, creation?: PendingCreation): ProfileFile {
  if (creation !== undefined && pendingCreation(file, name)?.id !== creation.id) return file;
  const { creating, ...rest } = file;
  const { [name]: _done, ...others } = creating ?? {};
  return Object.keys(others).length === 0 ? rest : { ...rest, creating: others };
}

function assertSame(file: ProfileFile, name: string, expected: PendingCreation | undefined): void {
  if (pendingCreation(file, name)?.id === expected?.id) return;
  throw new ConfigError(`another orgctl is creating a key for profile ${JSON.stringify(name)}`, {
    hint: 'let it finish, then look',
    next: ['orgctl', 'profile', 'show'],
  });
}
