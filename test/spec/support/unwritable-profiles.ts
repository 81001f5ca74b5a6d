import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

// Modes do not keep root from writing; a file in the place of the lock does.
const pathOf = (env: Env) => join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json.lock');

/** Profiles can be read from now on, and not be written. */
export function makeProfilesUnwritable(env: Env): void {
  mkdirSync(String(env['ORGCTL_CONFIG_DIR']), { recursive: true });
  writeFileSync(pathOf(env), 'x');
}

export function makeProfilesWritable(env: Env): void {
  rmSync(pathOf(env));
}
