import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readMissing } from './programs.js';

const prefix = 'orgctl-tests-';

/** One directory per run, shared by all projects: a nested path would be too long for a browser's socket. */
export function setup(): () => void {
  if (basename(tmpdir()).startsWith(prefix)) return () => undefined;
  const before = process.env['TMPDIR'];
  const directory = mkdtempSync(join(tmpdir(), prefix));
  // PostgreSQL runs as another user when tests run as root, and its cluster is in here.
  chmodSync(directory, 0o711);
  process.env['TMPDIR'] = directory;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const missing = readMissing(directory);
    if (missing.length > 0)
      console.warn(`\nNot installed, so their tests were skipped: ${missing.join(', ')}`);
    // A browser that was killed with its worker may still write to its profile.
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  };
}
