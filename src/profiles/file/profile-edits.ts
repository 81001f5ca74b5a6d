// Functions that return a changed copy of the profile file. Loaded only for changes.

import { withCreated, withCreation, withoutCreation } from './pending-creation.js';
import { assertFree, type Profile, type ProfileFile, requireProfile } from './profile-file.js';

function requireKnown(file: ProfileFile, name: string): string {
  requireProfile(file, name);
  return name;
}

function withProfile(file: ProfileFile, name: string, profile: Profile): ProfileFile {
  return { ...file, profiles: { ...file.profiles, [name]: profile } };
}

function withAdded(file: ProfileFile, name: string, profile: Profile, makeCurrent?: boolean): ProfileFile {
  assertFree(file, name);
  const added = withProfile(file, name, profile);
  return (makeCurrent ?? file.current === undefined) ? { ...added, current: name } : added;
}

function withRenamed(file: ProfileFile, name: string, to: string): ProfileFile {
  requireProfile(file, name);
  assertFree(file, to);
  const renamed = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).map(([each, value]) => [each === name ? to : each, value]));
  const { current, creating } = file;
  return {
    ...file,
    profiles: renamed(file.profiles),
    ...(creating === undefined ? {} : { creating: renamed(creating) }),
    ...(current === name ? { current: to } : {}),
  };
}

function withoutProfile(file: ProfileFile, name: string): ProfileFile {
  requireProfile(file, name);
  const { [name]: _removed, ...profiles } = file.profiles;
  const { current, ...rest } = withoutCreation(file, name);
  return { ...rest, ...(current === name ? {} : { current }), profiles };
}

export const edits = {
  known: requireKnown,
  withAdded,
  withCreated,
  withCreation,
  without: withoutProfile,
  withoutCreation,
  withProfile,
  withRenamed,
};
