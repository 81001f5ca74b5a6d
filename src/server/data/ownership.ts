import { type Stats, statSync } from 'node:fs';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { effectiveUser } from '../../platform/own-file.js';
import { quoteForShell } from '../../text/shell-quote.js';

/** Others must not access a `secret` file, nor write to a `public` file or a directory. */
export type Kind = 'secret' | 'public' | 'directory';

/** Forbidden mode bits, what they mean, and the command that removes them. */
const closings = {
  secret: { bits: 0o077, open: 'accessible to', chmod: 'chmod 600' },
  public: { bits: 0o022, open: 'writable by', chmod: 'chmod go-w' },
  directory: { bits: 0o022, open: 'writable by', chmod: 'chmod go-w' },
} as const;

/**
 * Like ssh, refuses a path that another user (except root) owns, or can access beyond what `kind` allows. Also refuses
 * other types of files, such as a FIFO, which would block. On Windows, checks only the type.
 * @throws ConfigError that says how to fix it
 */
export function requireOwn(path: string, found: Stats, kind: Kind): void {
  if (kind === 'directory' ? !found.isDirectory() : !found.isFile()) {
    throw new ConfigError(`${path} is not a ${kind === 'directory' ? 'directory' : 'regular file'}`, {
      hint: 'inspect it and move it away, or choose another data directory',
    });
  }
  requireOwner(path, found);
  const { bits, open, chmod } = closings[kind];
  if (effectiveUser() === undefined || (found.mode & bits) === 0) return;
  const mode = (found.mode & 0o777).toString(8);
  const message = `${path} is ${open} other users (mode ${mode})`;
  if (kind === 'directory' && isShared(found))
    throw new ConfigError(message, { hint: 'choose a data directory of your own' });
  // A directory that the server was only pointed to may be for a group.
  const when = kind === 'directory' ? 'if only servers use it, fix it' : 'fix it';
  throw new ConfigError(`${message}; ${when}: ${chmod} ${quoteForShell(path)}`, {
    hint:
      kind === 'directory'
        ? 'otherwise, choose another data directory'
        : 'others may have read or changed it: check who had access',
  });
}

const stickyBit = 0o1000;

/** Whether a directory is for all users, such as `/tmp`, or is the system's. */
export function isShared({ mode, uid }: Stats): boolean {
  return (mode & stickyBit) !== 0 || uid !== effectiveUser();
}

/** @throws ConfigError with the command that fixes it, unless this user or root is the owner */
export function requireOwner(path: string, { uid }: Stats): void {
  const user = effectiveUser();
  if (user === undefined || uid === user || uid === 0) return;
  throw new ConfigError(
    `${path} belongs to another user (${uid}), who can change it; make it yours: chown ${user} ${quoteForShell(path)}`,
    { hint: 'or run the server as that user, or choose another data directory' },
  );
}

/** `requireOwn` for a path that may not exist. @throws ConfigError also if the path is inaccessible */
export function requireOwnIfThere(path: string, kind: Kind): void {
  const found = inspectIfThere(path);
  if (found !== undefined) requireOwn(path, found, kind);
}

function inspectIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new ConfigError(`${path} cannot be inspected: ${describeFileError(error)}`, { cause: error });
  }
}
