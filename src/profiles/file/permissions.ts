import { type Stats, statSync } from 'node:fs';
import { ConfigError } from '../../errors/errors.js';
import { effectiveUser } from '../../platform/own-file.js';
import { quoteForShell } from '../../text/shell-quote.js';

/**
 * The mode of a file or directory that other users can access. `undefined` for others, and on Windows, which has no
 * modes. Whatever cannot be examined is reported when it is read.
 */
export function findOpenMode(path: string): number | undefined {
  try {
    // Synchronous, because loading node:fs/promises would take longer.
    const bits = statSync(path).mode & 0o777;
    return effectiveUser() === undefined || (bits & 0o077) === 0 ? undefined : bits;
  } catch {
    return undefined;
  }
}

/** Describes a path that other users can access, with the fix. The mode of a shared directory is not for us to change. */
export function describeOpen(path: string, mode: '600' | '700'): string | undefined {
  const open = findOpenMode(path);
  if (open === undefined) return undefined;
  const chmod = `make it private: chmod ${mode} ${quoteForShell(path)}`;
  const fix = mode === '600' ? chmod : `set ORGCTL_CONFIG_DIR to a directory of your own, or ${chmod}`;
  return `${path} is accessible to other users (mode ${open.toString(8)}); ${fix}`;
}

/** Root is trusted. @param danger ends the message @throws ConfigError for another user's path */
export function requireTrustedOwner(path: string, { uid }: Stats, danger = ''): void {
  const user = effectiveUser();
  if (user === undefined || uid === user || uid === 0) return;
  throw new ConfigError(`${path} belongs to another user (${uid})${danger}`, {
    hint: `use a file and directory of your own (with sudo: sudo -H); or, if you trust its content: sudo chown ${user} ${quoteForShell(path)}`,
  });
}

/** @throws ConfigError for a file that another user owns or can write */
export function requireTrustedFile(path: string, found: Stats, danger = ''): void {
  requireTrustedOwner(path, found, danger);
  if (effectiveUser() === undefined || (found.mode & 0o022) === 0) return;
  const mode = (found.mode & 0o777).toString(8);
  throw new ConfigError(`other users can write to ${path} (mode ${mode})${danger}`, {
    hint: `check its content, then make it private: chmod 600 ${quoteForShell(path)}`,
  });
}
