import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

// Modes do not keep root from writing. A name that leaves no room for that of a temporary file does.
const pathsOf = ({ ORGCTL_CONFIG_DIR: directory = '' }: Env) =>
  [join(directory, 'profiles.json'), join(directory, 'p'.repeat(253))] as const;

/** Profiles can be read from now on, and not be written. */
export function makeProfilesUnwritable(env: Env): void {
  const [path, target] = pathsOf(env);
  mkdirSync(String(env['ORGCTL_CONFIG_DIR']), { recursive: true });
  if (existsSync(path)) renameSync(path, target);
  symlinkSync(target, path);
}

export function makeProfilesWritable(env: Env): void {
  const [path, target] = pathsOf(env);
  renameSync(target, path);
}
