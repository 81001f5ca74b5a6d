import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConfigError,
  describeFileError,
  OrgctlError,
  readSystemCode,
  UsageError,
} from '../../errors/errors.js';
import { makeDirectory } from '../../platform/home-directory.js';
import { configDirectory, type Platform } from '../../platform/platform-directories.js';
import { effectiveUser, readRegularFile } from '../../platform/regular-file.js';
import { quoteForShell } from '../../text/shell-quote.js';
import { type Profile, type ProfileFile, parseProfileFile } from './parse-profile-file.js';

export type ProfileStore = ReturnType<typeof profileStore>;

type Change = (file: ProfileFile) => ProfileFile;

/** Each change locks and returns the file. @throws ConfigError if unusable or without the name; UsageError for a taken name */
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
    /** If the current profile is removed, none is current. */
    remove: (name: string) => edit((file) => withoutProfile(file, name)),
    use: (name: string) =>
      edit((file) => {
        requireProfile(file, name);
        return { ...file, current: name };
      }),
    /** Checks by writing the file unchanged. */
    assertWritable: () => edit((file) => file),
    /** A warning if others can access directory or file, with the fix. */
    permissionsProblem: () => describeOpen(directory, '700') ?? describeOpen(path, '600'),
    /** Only a warning, because containers mount such files. One that others can write is refused when read. */
    secretFileProblem: () => describeOpen(system.env['ORGCTL_SECRET_FILE'] ?? '', '600'),
  };
}

function withProfile(file: ProfileFile, name: string, profile: Profile): ProfileFile {
  return { ...file, profiles: { ...file.profiles, [name]: profile } };
}

function withoutProfile(file: ProfileFile, name: string): ProfileFile {
  requireProfile(file, name);
  const { [name]: _removed, ...profiles } = file.profiles;
  const { current, ...rest } = file;
  return { ...rest, ...(current !== name && { current }), profiles };
}

async function readProfileFile(directory: string, path: string): Promise<ProfileFile> {
  try {
    const found = statSync(directory, { throwIfNoEntry: false });
    if (found !== undefined) requireTrusted(directory, found);
    const bytes = readRegularFile(path, undefined, (found) => requireTrusted(path, found));
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
  const { profileWriteError, writeProfileFile } = await import('./write-profile-file.js');
  try {
    makeDirectory(directory);
    return await withLock({ path: `${path}.lock`, of: 'the profiles' }, async (assertHeld) => {
      const changed = change(await readProfileFile(directory, path));
      await writeProfileFile(path, changed, assertHeld);
      return changed;
    });
  } catch (error) {
    throw error instanceof OrgctlError ? error : profileWriteError(path, error);
  }
}

export const emptyProfileFile: ProfileFile = { version: 1, profiles: {} };

export function findProfile({ profiles }: ProfileFile, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

export const isRotating = ({ pending, retiring }: Profile) => pending !== undefined || retiring !== undefined;

export const isProfileName = (text: string) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text);

export function parseProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is not a profile name: use 1 to 64 letters, digits, "_" or "-", starting with a letter or digit`,
  );
}

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

/** A file that cannot be examined is reported when it is read. */
function describeOpen(path: string, mode: '600' | '700'): string | undefined {
  try {
    const open = statSync(path).mode & 0o777;
    if (effectiveUser() === undefined || (open & 0o077) === 0) return undefined;
    return `${path} is accessible to other users (mode ${open.toString(8)}); make it private: chmod ${mode} ${quoteForShell(path)}`;
  } catch {
    return undefined;
  }
}

/** Whoever owns or can write a file could put any command or key there; root is trusted. @throws ConfigError */
export function requireTrusted(path: string, found: Stats): void {
  const user = effectiveUser();
  const isOthers = found.uid !== user && found.uid !== 0;
  if (user === undefined || (!isOthers && (!found.isFile() || (found.mode & 0o022) === 0))) return;
  const why = isOthers ? `belongs to another user (${found.uid})` : 'can be written by other users';
  throw new ConfigError(`${path} ${why}, who could put anything there`, {
    hint: `check its content, then make it your own (if you use sudo: sudo -H) and private: chmod 600 ${quoteForShell(path)}`,
  });
}
