// Functions that return a changed copy of the profile file. Loaded only for changes.

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
  const profiles = Object.fromEntries(
    Object.entries(file.profiles).map(([each, profile]) => [each === name ? to : each, profile]),
  );
  return { ...file, profiles, ...(file.current === name ? { current: to } : {}) };
}

function withoutProfile(file: ProfileFile, name: string): ProfileFile {
  requireProfile(file, name);
  const { [name]: _removed, ...profiles } = file.profiles;
  const { current, ...rest } = file;
  return { ...rest, ...(current === name ? {} : { current }), profiles };
}

export const edits = {
  known: requireKnown,
  withAdded,
  without: withoutProfile,
  withProfile,
  withRenamed,
};
