import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

// npm run test:related -- src/client/exchange/retry.ts: the tests closest to a file, in seconds. Vitest's own `related` follows
// every import, and a test that runs a command line reaches all of the sources.

const root = join(import.meta.dirname, '..');
const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => join('test', path))
  .filter((path) => path.endsWith('.test.ts') && !/^test\/(hard|postgres)\//.test(path));

/** Whether a test imports the file itself. */
function imports(test: string, file: string): boolean {
  const text = readFileSync(join(root, test), 'utf8');
  const specifiers = [...text.matchAll(/'(\.[^']+)\.js'/g)].map(([, specifier = '']) => specifier);
  return specifiers.some((specifier) => `${join(dirname(test), specifier)}.ts` === file);
}

/** Tests are where the file is, and named like it or like its folder: `verbs/quotas/view.ts`, `quotas-watch.test.ts`. */
function isNamedLike(test: string, file: string): boolean {
  const folder = dirname(relative('src', file));
  const [unit = ''] = folder.split('/');
  const isNear = test.startsWith(`test/${unit}/`);
  const names = [basename(file, '.ts'), ...folder.split('/').slice(1)];
  return isNear && names.some((name) => basename(test).startsWith(name));
}

function testsOf(file: string): string[] {
  if (file.startsWith('test/')) return tests.filter((test) => test === file || imports(test, file));
  const close = tests.filter((test) => imports(test, file) || isNamedLike(test, file));
  const [unit = ''] = relative('src', file).split('/');
  return close.length > 0 ? close : tests.filter((test) => test.startsWith(`test/${unit}/`));
}

const files = process.argv.slice(2).map((path) => relative(root, join(process.cwd(), path)));
const found = [...new Set(files.flatMap(testsOf))];
if (found.length === 0) {
  console.error('usage: npm run test:related -- src/client/exchange/retry.ts …');
  process.exitCode = 2;
} else {
  // Of some there are only tests that are not quick; vitest says so.
  const vitest = ['vitest', 'run', '--passWithNoTests', '--project', 'quick', ...found];
  process.exitCode = spawnSync('npx', vitest, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
