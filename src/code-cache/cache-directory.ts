import { lstatSync, mkdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** What decides where compiled code is kept, and who may have written it. */
export interface CacheOwner {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The effective user; absent on Windows, where the directory is in a place that only its user can write. */
  geteuid?(): number;
}

/** The platform's directory for what can be made again; `undefined` when the environment names no home. */
export function cacheDirectory({ env, platform }: CacheOwner): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const base = cacheBase(env, platform);
  // A relative path is invalid there and to be ignored (XDG Base Directory Specification, "Basics").
  return base !== undefined && path.isAbsolute(base) ? path.join(base, 'orgctl') : undefined;
}

function cacheBase(env: CacheOwner['env'], platform: NodeJS.Platform): string | undefined {
  if (platform === 'win32') return env['LOCALAPPDATA'];
  const home = env['HOME'] || undefined;
  if (platform === 'darwin') return home && `${home}/Library/Caches`;
  return env['XDG_CACHE_HOME'] || (home && `${home}/.cache`);
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
