import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { root } from './support/built-tool.js';
import { findRelatedTests } from './support/related-tests.js';

// npm run test:related -- src/client/exchange/retry.ts: the tests closest to a file, in seconds. Vitest's own `related` follows
// every import, and a test that runs a command line reaches all of the sources.

const files = process.argv.slice(2).map((path) => relative(root, join(process.cwd(), path)));
const found = [...new Set(files.flatMap(findRelatedTests))];
if (found.length === 0) {
  console.error('usage: npm run test:related -- src/client/exchange/retry.ts …');
  process.exitCode = 2;
} else {
  // Of some there are only tests that are not quick; vitest says so.
  const vitest = ['vitest', 'run', '--passWithNoTests', '--project', 'quick', ...found];
  process.exitCode = spawnSync('npx', vitest, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
