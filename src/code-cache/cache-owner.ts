import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What decides where compiled code is kept, and who may have written it. */
export interface CacheOwner {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The effective user; absent on Windows, where the directory is in a place that only its user can write. */
  geteuid?(): number;
}

/** Makes the directory (0700) where it is not there. @throws what the file system says, as when the home is read-only */
export function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/**
 * Whether nobody but this user can have put something there: a directory of this user's own, that neither its group nor
 * others can write.
 *
 * @throws what the file system says, as when it is not there
 */
export function isPrivate(directory: string, owner: CacheOwner): boolean {
  const found = lstatSync(directory);
  const closed = owner.geteuid === undefined || (found.mode & 0o022) === 0;
  return found.isDirectory() && closed && belongsTo(owner, found);
}

/** Whether the effective user owns it. */
export function belongsTo(owner: CacheOwner, { uid }: { readonly uid: number }): boolean {
  return owner.geteuid === undefined || owner.geteuid() === uid;
}

// What another build or Node left, and nothing was added to for so long, is of no use to anybody.
const longestUnchanged = 30 * 24 * 60 * 60 * 1000;

/** Removes the files whose names begin so and that nobody has changed for 30 days. @throws what the file system says */
export function removeAbandoned(directory: string, prefix: string): void {
  const now = Date.now();
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (name.startsWith(prefix) && now - statSync(path).mtimeMs > longestUnchanged) rmSync(path);
  }
}
