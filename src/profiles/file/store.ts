import { join } from 'node:path';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { configDirectory, type Platform } from '../../platform/platform-directories.js';
import { readRegularFile } from '../../platform/regular-file.js';
import {
  findPermissionsProblem,
  ownNames,
  requireTrustedDirectory,
  requireTrustedOwner,
} from './permissions.js';
import type { edits } from './profile-edits.js';
import { emptyProfileFile, type Profile, type ProfileFile, requireProfile } from './profile-file.js';

interface ListedProfile {
  readonly name: string;
  readonly profile: Profile;
  readonly current: boolean;
}

/** The stored profiles. A change locks and reads the file first. @throws ConfigError if the file is unusable */
export interface ProfileStore {
  path(): string;
  read(): Promise<ProfileFile>;
  list(): Promise<ListedProfile[]>;
  /** @throws ConfigError if no profile has this name */
  get(name: string): Promise<Profile>;
  /** Makes the profile current if none is; `makeCurrent` overrides this. @throws UsageError for a taken or invalid name */
  add(name: string, profile: Profile, options?: { readonly makeCurrent?: boolean }): Promise<ProfileFile>;
  update(name: string, change: (profile: Profile) => Profile): Promise<ProfileFile>;
  /** Checks that the file can be written, by writing it unchanged. @throws ConfigError */
  assertWritable(): Promise<unknown>;
  rename(name: string, to: string): Promise<ProfileFile>;
  /** Removing the current profile leaves none current. */
  remove(name: string): Promise<ProfileFile>;
  use(name: string): Promise<ProfileFile>;
  permissionsProblem(): string | undefined;
}

export function profileStore(system: Platform): ProfileStore {
  const directory = configDirectory(system);
  const path = join(directory, ownNames.profiles);
  const read = () => readProfileFile(directory, path);
  const edit = (change: Change) => editProfileFile(directory, path, change);
  return {
    path: () => path,
    read,
    list: async () => toListed(await read()),
    get: async (name) => requireProfile(await read(), name),
    add: (name, profile, options) =>
      edit((file, { withAdded }) => withAdded(file, name, profile, options?.makeCurrent)),
    update: (name, change) =>
      edit((file, { withProfile }) => withProfile(file, name, change(requireProfile(file, name)))),
    assertWritable: () => edit((file) => file),
    rename: (name, to) => edit((file, { withRenamed }) => withRenamed(file, name, to)),
    remove: (name) => edit((file, { without }) => without(file, name)),
    use: (name) => edit((file, { known }) => ({ ...file, current: known(file, name) })),
    permissionsProblem: () => findPermissionsProblem({ directory, file: path }, system.platform),
  };
}

async function readProfileFile(directory: string, path: string): Promise<ProfileFile> {
  try {
    requireTrustedDirectory(directory);
    const bytes = readRegularFile(path, undefined, (found) => requireTrustedOwner(path, found));
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

type Change = (file: ProfileFile, edits: Edits) => ProfileFile;
type Edits = typeof edits;

async function editProfileFile(directory: string, path: string, change: Change): Promise<ProfileFile> {
  const { withLock } = await import('../../platform/file-lock.js');
  const { edits } = await import('./profile-edits.js');
  const { makeConfigDirectory, openProfileWriter } = await import('./write-profile-file.js');
  const write = await openProfileWriter();
  await makeConfigDirectory(directory);
  // Checked before a lock file is created there.
  requireTrustedDirectory(directory);
  return await withLock({ path: `${path}.lock`, of: 'the profiles' }, async (assertHeld) => {
    const changed = change(await readProfileFile(directory, path), edits);
    assertHeld();
    await write(path, changed);
    return changed;
  });
}

function toListed(file: ProfileFile): ListedProfile[] {
  return Object.entries(file.profiles).map(([name, profile]) => ({
    name,
    profile,
    current: name === file.current,
  }));
}
