import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of the tests a temporary directory of its own, so that none of its thousands stay behind. */
export function setup(): () => void {
  const before = process.env['TMPDIR'];
  const directory = mkdtempSync(join(tmpdir(), 'orgctl-tests-'));
  // PostgreSQL runs as another user when the tests run as root, and has its cluster in here.
  chmodSync(directory, 0o711);
  process.env['TMPDIR'] = directory;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(directory, { recursive: true, force: true });
  };
}
