import { readdirSync, type Stats, statSync } from 'node:fs';
import { ConfigError, readSystemCode } from '../../errors/errors.js';
import { effectiveUser } from '../../platform/own-file.js';
import { quoteForShell } from '../../text/shell-quote.js';

/** How the names of orgctl's files in the directory of profiles begin; temporary ones add to them. */
export const ownNames = { profiles: 'profiles.json', recovery: 'recovered-' } as const;

/** The directory of the profiles, and the profile file in it. */
interface ProfilePlaces {
  readonly directory: string;
  readonly file: string;
}

/**
 * Describes what other users can access, with the fix; `undefined` if there is nothing. Windows has no modes: profiles
 * inherit the access rights of the user's directory.
 */
export function findPermissionsProblem(
  { directory, file }: ProfilePlaces,
  platform: NodeJS.Platform,
): string | undefined {
  const problems = [
    describeOpen({ path: directory, mode: '700' }, platform, (found) => holdsOnlyProfiles(directory, found)),
    describeOpen({ path: file, mode: '600' }, platform, (found) => isOwn(found) && found.isFile()),
  ];
  return problems.filter((problem) => problem !== undefined).join('; ') || undefined;
}

interface Guarded {
  readonly path: string;
  readonly mode: '600' | '700';
}

/**
 * Describes a path that other users can access.
 * @param isOurs whether only orgctl uses the path; others keep their mode
 */
export function describeOpen(
  { path, mode }: Guarded,
  platform: NodeJS.Platform,
  isOurs: (found: Stats) => boolean = () => true,
): string | undefined {
  if (platform === 'win32') return undefined;
  try {
    // Synchronous, because loading node:fs/promises would take longer.
    const found = statSync(path);
    const bits = found.mode & 0o777;
    if ((bits & 0o077) === 0) return undefined;
    const fix = isOurs(found)
      ? `make it private: chmod ${mode} ${quoteForShell(path)}`
      : 'set ORGCTL_CONFIG_DIR to a directory of your own';
    return `${path} is accessible to other users (mode ${bits.toString(8)}); ${fix}`;
  } catch (error) {
    const code = readSystemCode(error);
    return code === 'ENOENT' ? undefined : `the permissions of ${path} cannot be read (${code})`;
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === effectiveUser();
}

const stickyBit = 0o1000;

/** Otherwise, orgctl was only pointed to the directory, and others may need it. */
function holdsOnlyProfiles(directory: string, found: Stats): boolean {
  if (!isOwn(found) || !found.isDirectory() || (found.mode & stickyBit) !== 0) return false;
  const starts = Object.values(ownNames);
  return readdirSync(directory).every((name) => starts.some((start) => name.startsWith(start)));
}

/** Another user's file could contain any command. Root is trusted. @throws ConfigError for an untrusted owner */
export function requireTrustedOwner(path: string, { uid }: Pick<Stats, 'uid'>): void {
  const user = effectiveUser();
  if (user === undefined || uid === user || uid === 0) return;
  const isRoot = user === 0;
  throw new ConfigError(`${path} belongs to another user (${uid}), who could put any command there`, {
    hint: isRoot
      ? "as root, orgctl reads only root's own profiles: run it without sudo, use sudo -H, or set ORGCTL_CONFIG_DIR to a directory that root owns"
      : `set ORGCTL_CONFIG_DIR to a directory of your own; or, if you trust its content: sudo chown ${user} ${quoteForShell(path)}`,
  });
}

export function requireTrustedDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) requireTrustedOwner(path, found);
}
