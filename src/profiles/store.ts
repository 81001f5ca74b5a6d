import { join } from 'node:path';
import { ConfigError, fileMessageOf, systemCodeOf } from '../errors.js';
import { readRegularFile } from '../files/regular-file.js';
import { configDirectory, type Platform } from '../platform-directories.js';
import { permissionsProblemOf } from './permissions.js';
import type { edits } from './profile-edits.js';
import {
  emptyProfileFile,
  existing,
  type PendingCreation,
  type Profile,
  type ProfileFile,
} from './profile-file.js';

/** One row of the list. */
interface ListedProfile {
  readonly name: string;
  readonly profile: Profile;
  readonly current: boolean;
}

/**
 * The stored profiles. What changes them takes the lock, reads afresh, and returns the file as it then is. All
 * methods that read throw ConfigError for a file that cannot be read, parsed or is of another shape; such a file is
 * never written to.
 */
export interface ProfileStore {
  /** Where the profiles are kept; the file need not exist. */
  path(): string;
  read(): Promise<ProfileFile>;
  list(): Promise<ListedProfile[]>;
  /** @throws ConfigError naming the known ones when there is no such profile */
  get(name: string): Promise<Profile>;
  /**
   * Adds a profile; it becomes the current one when there is none, or as `makeCurrent` says.
   *
   * @throws UsageError when the name is taken or is none
   */
  add(name: string, profile: Profile, options?: { readonly makeCurrent?: boolean }): Promise<ProfileFile>;
  /** Changes one profile as it is at that moment; other processes wait meanwhile. */
  update(name: string, change: (profile: Profile) => Profile): Promise<ProfileFile>;
  /**
   * Writes down that a key is about to be created for a profile, there or still to come, in the place of what an
   * earlier run `left`. @throws ConfigError when another process has begun one
   */
  beginCreation(name: string, creation: PendingCreation, left?: PendingCreation): Promise<ProfileFile>;
  /** Makes or changes the profile once the key is there. @throws ConfigError when another process took over meanwhile */
  finishCreation(
    name: string,
    creation: PendingCreation,
    change: (profile: Profile | undefined) => Profile,
  ): Promise<ProfileFile>;
  /** Takes back what was written down: no key was made. */
  cancelCreation(name: string, creation: PendingCreation): Promise<ProfileFile>;
  /** The current profile stays the current one under its new name. */
  rename(name: string, to: string): Promise<ProfileFile>;
  /** Removing the current profile leaves none current: another service is never chosen by itself. */
  remove(name: string): Promise<ProfileFile>;
  use(name: string): Promise<ProfileFile>;
  /** What other users can get at and how to close it; `undefined` when nothing. Looks at modes alone. */
  permissionsProblem(): string | undefined;
}

/** The store of this machine's user. Nothing is opened or made before a method is called. */
export function profileStore(system: Platform): ProfileStore {
  const directory = configDirectory(system);
  const path = join(directory, 'profiles.json');
  const read = () => readProfileFile(path);
  const edit = (change: Change) => editProfileFile(directory, path, change);
  return {
    path: () => path,
    read,
    list: async () => listed(await read()),
    get: async (name) => existing(await read(), name),
    add: (name, profile, options) =>
      edit((file, { withAdded }) => withAdded(file, name, profile, options?.makeCurrent)),
    update: (name, change) =>
      edit((file, { withProfile }) => withProfile(file, name, change(existing(file, name)))),
    beginCreation: (name, creation, left) =>
      edit((file, { withCreation }) => withCreation(file, name, creation, left)),
    finishCreation: (name, creation, change) =>
      edit((file, { withCreated }) => withCreated(file, name, creation, change)),
    cancelCreation: (name, creation) =>
      edit((file, { withoutCreation }) => withoutCreation(file, name, creation)),
    rename: (name, to) => edit((file, { withRenamed }) => withRenamed(file, name, to)),
    remove: (name) => edit((file, { without }) => without(file, name)),
    use: (name) => edit((file, { known }) => ({ ...file, current: known(file, name) })),
    permissionsProblem: () =>
      permissionsProblemOf(
        [
          { path: directory, mode: '700' },
          { path, mode: '600' },
        ],
        system.platform,
      ),
  };
}

async function readProfileFile(path: string): Promise<ProfileFile> {
  try {
    const bytes = readRegularFile(path);
    // Loads zod, which a start without profiles can do without.
    const { parseProfileFile } = await import('./parse-profile-file.js');
    return parseProfileFile(bytes, path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (systemCodeOf(error) === 'ENOENT') return emptyProfileFile;
    throw new ConfigError(`${path} cannot be read: ${fileMessageOf(error)}`, {
      hint: 'check its permissions and owner, or set ORGCTL_CONFIG_DIR to another directory',
      cause: error,
    });
  }
}

/** What is to become of the file, by means that are loaded for changes alone. */
type Change = (file: ProfileFile, edits: Edits) => ProfileFile;
type Edits = typeof edits;

async function editProfileFile(directory: string, path: string, change: Change): Promise<ProfileFile> {
  // What only changes need is read with them.
  const { withLock } = await import('./file-lock.js');
  const { edits } = await import('./profile-edits.js');
  const { makeConfigDirectory, openProfileWriter } = await import('./write-profile-file.js');
  const write = await openProfileWriter();
  await makeConfigDirectory(directory);
  return await withLock(`${path}.lock`, async (assertHeld) => {
    const changed = change(await readProfileFile(path), edits);
    assertHeld();
    await write(path, changed);
    return changed;
  });
}

function listed(file: ProfileFile): ListedProfile[] {
  return Object.entries(file.profiles).map(([name, profile]) => ({
    name,
    profile,
    current: name === file.current,
  }));
}
