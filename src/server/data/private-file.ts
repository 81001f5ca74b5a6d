import { type Stats, statSync } from 'node:fs';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { replacePrivately } from '../../platform/durable-file.js';
import { effectiveUser, readRegularFile } from '../../platform/regular-file.js';
import { quoteForShell } from '../../text/shell-quote.js';

/** Others must not access a `secret` file, nor write to a `public` file or directory. */
type Kind = 'secret' | 'public';

/**
 * Like ssh, refuses a path that another user (except root) owns, or can access beyond what `kind` allows. Windows has no
 * modes. @throws ConfigError that says how to fix it
 */
function requireOwn(path: string, { uid, mode }: Stats, kind: Kind): void {
  const user = effectiveUser();
  if (user === undefined) return;
  const isForeign = uid !== user && uid !== 0;
  const [bits, open, change] =
    kind === 'secret' ? [0o077, 'accessible to', '600'] : [0o022, 'writable by', 'go-w'];
  if (!isForeign && (mode & bits) === 0) return;
  const [what, fix] = isForeign
    ? [`belongs to another user (${uid}), who can change it`, `chown ${user}`]
    : [`is ${open} other users (mode ${(mode & 0o7777).toString(8)})`, `chmod ${change}`];
  const hint = 'check who had access, or choose another data directory';
  throw new ConfigError(`${path} ${what}; fix it: ${fix} ${quoteForShell(path)}`, { hint });
}

/** `requireOwn` for a path that may not exist. @throws ConfigError */
export function requireOwnIfThere(path: string, kind: Kind): void {
  const found = reading(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found !== undefined) requireOwn(path, found, kind);
}

/** `undefined` if there is no file. @throws ConfigError if it is not private, or unreadable */
export function readIfThere(path: string, kind: Kind): string | undefined {
  const check = (found: Stats) => requireOwn(path, found, kind);
  return reading(path, () => readRegularFile(path, undefined, check).toString());
}

function reading<Result>(path: string, read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT') return undefined;
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${path} cannot be read: ${describeFileError(error)}`, { cause: error });
  }
}

/** @throws ConfigError */
export function writePrivately(path: string, text: string, durable = true): Promise<void> {
  return replacePrivately(path, text, { durable }).catch((cause: unknown) => {
    const hint =
      'check that the directory is writable and its disk not full, or choose another data directory';
    throw new ConfigError(`${path} cannot be written: ${describeFileError(cause)}`, { hint, cause });
  });
}
