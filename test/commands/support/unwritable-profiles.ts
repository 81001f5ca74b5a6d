import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

// Modes do not keep root from writing; a directory in the place of the file that the new content goes to does.
const pathOf = (env: Env) => join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json.new');

/** Profiles can be read from now on, and not be written. */
export function makeProfilesUnwritable(env: Env): void {
  mkdirSync(pathOf(env), { recursive: true });
}

export function makeProfilesWritable(env: Env): void {
  rmSync(pathOf(env), { recursive: true });
}
