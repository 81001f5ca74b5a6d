import { statSync } from 'node:fs';
import { systemCodeOf } from '../errors.js';

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
