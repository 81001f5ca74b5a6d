import { constants, type Stats } from 'node:fs';
import process from 'node:process';

/** Windows lacks the last flag. */
export const creating =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** `undefined` on Windows. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}

/** Why an open file is not private; `undefined` if it is. Windows has no modes to check. */
export function whyNotPrivate(found: Stats): string | undefined {
  if (!found.isFile()) return 'it is not a regular file';
  const user = effectiveUser();
  if (user === undefined) return undefined;
  if (found.uid !== user) return `it belongs to another user (${found.uid})`;
  const mode = found.mode & 0o777;
  return (mode & 0o077) === 0 ? undefined : `other users can access it (mode ${mode.toString(8)})`;
}
