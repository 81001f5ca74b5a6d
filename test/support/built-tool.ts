import { chmodSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from 'vitest';

export const root = realpathSync(join(import.meta.dirname, '..', '..'));

/** The standalone executable, if it is tested instead of the package. */
const executable = process.env['ORGCTL_TEST_EXECUTABLE'];

/** The standalone executable has no libraries, and contains its compiled code. */
export const isStandalone = executable !== undefined;

/** The package's script, to pass arguments to Node.js. */
export const script = join(root, 'bin', 'orgctl.js');

/** The tested `orgctl`: a program and its first arguments. */
export const orgctl: readonly [string, ...string[]] = executable ? [executable] : [process.execPath, script];

const shellCommand = orgctl.map((word) => `'${word}'`).join(' ');

/** A directory with `orgctl` for a PATH. */
export function useToolOnPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'orgctl-test-'));
  beforeAll(() => {
    const path = join(directory, 'orgctl');
    writeFileSync(path, `#!/bin/sh\nexec ${shellCommand} "$@"\n`);
    chmodSync(path, 0o755);
  });
  return directory;
}
