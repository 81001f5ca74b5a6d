import { type Stats, statSync } from 'node:fs';
import { ConfigError, readSystemCode } from '../../errors/errors.js';
import { effectiveUser } from '../../platform/effective-user.js';
import { quoteForShell } from '../../text/shell-quote.js';

interface Guarded {
  readonly path: string;
  readonly mode: '600' | '700';
}

/**
 * Describes paths that other users can access, with the fix; `undefined` if there are none. Windows has no modes:
 * profiles inherit the access rights of the user's directory.
 */
export function findPermissionsProblem(
  guarded: readonly Guarded[],
  platform: NodeJS.Platform,
): string | undefined {
  if (platform === 'win32') return undefined;
  const problems = guarded.map(describeGuarded);
  return problems.filter((problem) => problem !== undefined).join('; ') || undefined;
}

// Synchronous, because loading node:fs/promises would take longer.
function describeGuarded({ path, mode }: Guarded): string | undefined {
  try {
    const bits = statSync(path).mode & 0o777;
    if ((bits & 0o077) === 0) return undefined;
    // A directory that only orgctl was pointed to, such as /tmp, may be for everyone.
    const when = mode === '700' ? 'if only orgctl uses it, ' : '';
    return `${path} is accessible to other users (mode ${bits.toString(8)}); ${when}make it private: chmod ${mode} ${quoteForShell(path)}`;
  } catch (error) {
    const code = readSystemCode(error);
    return code === 'ENOENT' ? undefined : `the permissions of ${path} cannot be read (${code})`;
  }
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
