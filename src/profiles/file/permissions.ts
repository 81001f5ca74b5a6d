import { type Stats, statSync } from 'node:fs';
import { ConfigError, systemCodeOf } from '../../errors/errors.js';
import { effectiveUser } from '../../platform/effective-user.js';

/** One path and the mode it should have. */
interface Guarded {
  readonly path: string;
  readonly mode: '600' | '700';
}

/**
 * Says which paths other users of this machine can access, and how to fix it; `undefined` when none. A missing path is
 * safe. Windows has no mode bits: its profile directories belong to the user by inheritance.
 */
export function permissionsProblemOf(
  guarded: readonly Guarded[],
  platform: NodeJS.Platform,
): string | undefined {
  if (platform === 'win32') return undefined;
  const problems = guarded.map(problemOf);
  return problems.filter((problem) => problem !== undefined).join('; ') || undefined;
}

// Not node:fs/promises: every command runs this, and loading it takes longer than two such calls.
function problemOf({ path, mode }: Guarded): string | undefined {
  try {
    const bits = statSync(path).mode & 0o777;
    if ((bits & 0o077) === 0) return undefined;
    return `${path} is open to other users (mode ${bits.toString(8)}); close it: chmod ${mode} '${path}'`;
  } catch (error) {
    const code = systemCodeOf(error);
    return code === 'ENOENT' ? undefined : `the permissions of ${path} cannot be read (${code})`;
  }
}

/**
 * Refuses a profile file or its directory of another user, who could have put a command there that prints a secret. Root
 * is trusted: it can do so anyway. But as root only root's own is read. Windows knows no such owners.
 *
 * @throws ConfigError naming the path and its owner
 */
export function requireTrustedOwner(path: string, { uid }: Pick<Stats, 'uid'>): void {
  const user = effectiveUser();
  if (user === undefined || uid === user || uid === 0) return;
  const isRoot = user === 0;
  throw new ConfigError(`${path} belongs to another user (${uid}), who can put any command there`, {
    hint: isRoot
      ? 'as root only profiles of root are read: run it without sudo, or with sudo -H, or set ORGCTL_CONFIG_DIR to a directory of root'
      : `set ORGCTL_CONFIG_DIR to a directory of your own; or, if you trust what is in it: sudo chown ${user} '${path}'`,
  });
}

/** The same of a directory, by its path: what is read in it is checked by itself. One that is missing is fine. */
export function requireTrustedDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) requireTrustedOwner(path, found);
}
