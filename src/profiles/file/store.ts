import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { configDirectory, type Platform } from '../../platform/platform-directories.js';
import { readRegularFile } from '../../platform/regular-file.js';
import type { Profile, ProfileFile } from './parse-profile-file.js';
import { describeOpen, requireTrusted } from './permissions.js';
import { assertFree, emptyProfileFile, requireProfile } from './profile-file.js';

export type ProfileStore = ReturnType<typeof profileStore>;

type Change = (file: ProfileFile) => ProfileFile;

/**
 * The stored profiles. A change locks and reads the file first, and returns the changed file. Methods throw a
 * ConfigError for an unusable file or an unknown name, and a UsageError for a taken or invalid one.
 */
export function profileStore(system: Platform) {
  const directory = configDirectory(system);
  const path = join(directory, 'profiles.json');
  const read = () => readProfileFile(directory, path);
  const edit = (change: Change) => editProfileFile(directory, path, change);
  return {
    path: () => path,
    read,
    get: async (name: string) => requireProfile(await read(), name),
    /** Makes the profile current if none is. */
    add: (name: string, profile: Profile) =>
      edit((file) => {
        assertFree(file, name);
        return { ...withProfile(file, name, profile), current: file.current ?? name };
      }),
    update: (name: string, change: (profile: Profile) => Profile) =>
      edit((file) => withProfile(file, name, change(requireProfile(file, name)))),
    /** The current profile stays current. */
    rename: (name: string, to: string) =>
      edit((file) => {
        const renamed = withProfile(withoutProfile(file, name), to, requireProfile(file, name));
        assertFree(file, to);
        return file.current === name ? { ...renamed, current: to } : renamed;
      }),
    /** Removing the current profile leaves none current. */
    remove: (name: string) => edit((file) => withoutProfile(file, name)),
    use: (name: string) =>
      edit((file) => {
        requireProfile(file, name);
        return { ...file, current: name };
      }),
    /** Checks that the file can be written, by writing it unchanged. */
    assertWritable: () => edit((file) => file),
    /** What other users can access, with the fix. */
    permissionsProblem: () =>
      [describeOpen(directory, '700'), describeOpen(path, '600')].filter((each) => each).join('; ') ||
      undefined,
  };
}

function withProfile(file: ProfileFile, name: string, profile: Profile): ProfileFile {
  return { ...file, profiles: { ...file.profiles, [name]: profile } };
}

/** @throws ConfigError for an unknown name */
function withoutProfile(file: ProfileFile, name: string): ProfileFile {
  requireProfile(file, name);
  const { [name]: _removed, ...profiles } = file.profiles;
  const { current, ...rest } = file;
  return { ...rest, ...(current !== name && { current }), profiles };
}

function requireTrustedDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) requireTrusted(path, found);
}

async function readProfileFile(directory: string, path: string): Promise<ProfileFile> {
  try {
    requireTrustedDirectory(directory);
    const bytes = readRegularFile(path, undefined, (found) => requireTrusted(path, found));
    // Loads zod, which is not needed without profiles.
    const { parseProfileFile } = await import('./parse-profile-file.js');
    return parseProfileFile(bytes, path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (readSystemCode(error) === 'ENOENT') return emptyProfileFile;
    throw new ConfigError(`${path} cannot be read: ${describeFileError(error)}`, {
      hint: 'check its permissions and owner, or set ORGCTL_CONFIG_DIR to another directory',
      cause: error,
    });
  }
}

async function editProfileFile(directory: string, path: string, change: Change): Promise<ProfileFile> {
  const { withLock } = await import('../../platform/file-lock.js');
  const { makeConfigDirectory, writeProfileFile } = await import('./write-profile-file.js');
  makeConfigDirectory(directory);
  // Checked before a lock file is created there.
  requireTrustedDirectory(directory);
  return await withLock({ path: `${path}.lock`, of: 'the profiles' }, async (assertHeld) => {
    const changed = change(await readProfileFile(directory, path));
    await writeProfileFile(path, changed, assertHeld);
    return changed;
  });
}
