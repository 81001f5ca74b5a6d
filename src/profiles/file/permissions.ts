import { type Stats, statSync } from 'node:fs';
import { ConfigError } from '../../errors/errors.js';
import { effectiveUser } from '../../platform/own-file.js';
import { quoteForShell } from '../../text/shell-quote.js';

/** The mode of a path that others can access. Not on Windows; what cannot be examined is reported when it is read. */
export function findOpenMode(path: string): number | undefined {
  try {
    const bits = statSync(path).mode & 0o777;
    return effectiveUser() === undefined || (bits & 0o077) === 0 ? undefined : bits;
  } catch {
    return undefined;
  }
}

/** Describes a path that other users can access, with the fix. */
export function describeOpen(path: string, mode: '600' | '700'): string | undefined {
  const open = findOpenMode(path);
  if (open === undefined) return undefined;
  const shared = mode === '700' ? 'set ORGCTL_CONFIG_DIR to a directory of your own, or ' : '';
  return `${path} is accessible to other users (mode ${open.toString(8)}); ${shared}make it private: chmod ${mode} ${quoteForShell(path)}`;
}

/** Whoever owns or can write a file could put any command or key there; root is trusted. @throws ConfigError */
export function requireTrusted(path: string, found: Stats): void {
  const user = effectiveUser();
  if (user === undefined) return;
  const quoted = quoteForShell(path);
  if (found.uid !== user && found.uid !== 0)
    throw new ConfigError(`${path} belongs to another user (${found.uid}), who could put anything there`, {
      hint: `use a file and directory of your own (with sudo: sudo -H); or, if you trust its content: sudo chown ${user} ${quoted}`,
    });
  if (found.isFile() && (found.mode & 0o022) !== 0)
    throw new ConfigError(
      `other users can write to ${path} (mode ${(found.mode & 0o777).toString(8)}), who could put anything there`,
      { hint: `check its content, then make it private: chmod 600 ${quoted}` },
    );
}
