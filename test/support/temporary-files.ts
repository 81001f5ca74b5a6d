import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const prefix = 'orgctl-tests-';

/**
 * Gives a run of the tests a temporary directory of its own, so that none of its thousands stay behind. The projects of a
 * run share it: a browser's socket in one below the other would have too long a path.
 */
export function setup(): () => void {
  if (basename(tmpdir()).startsWith(prefix)) return () => undefined;
  const before = process.env['TMPDIR'];
  const directory = mkdtempSync(join(tmpdir(), prefix));
  // PostgreSQL runs as another user when the tests run as root, and has its cluster in here.
  chmodSync(directory, 0o711);
  process.env['TMPDIR'] = directory;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(directory, { recursive: true, force: true });
  };
}
