import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { root } from './support/built-tool.js';
import { copyTree } from './support/tree-copy.js';

// npm run test:mutants [FILES…]: changes source files, by default those that differ from main or HEAD~1, in one place at a
// time in a copy of the tree, and prints each change that the tests closest to the file do not notice.

type Mutant = readonly [start: number, end: number, text: string];

const flips = ['=== !==', '< >=', '> <=', '&& ||'].map((pair) => pair.split(' '));
const flipped = new Map(
  flips.flatMap(([one = '', other = '']) => [[one, other] as const, [other, one] as const]),
);

/** Flips comparisons, drops `await` and named arguments, and empties branches. */
function mutantsOf(path: string, source: string): Mutant[] {
  const found: Mutant[] = [];
  const flip = ({ left, operator }: { left: { end: number }; operator: string }) => {
    const start = source.indexOf(operator, left.end);
    const other = flipped.get(operator);
    if (other !== undefined) found.push([start, start + operator.length, other]);
  };
  new Visitor({
    BinaryExpression: flip,
    LogicalExpression: flip,
    AwaitExpression: ({ start, argument }) => void found.push([start, argument.start, '']),
    CallExpression: ({ arguments: given }) => {
      const named = given.flatMap((one) => (one.type === 'ObjectExpression' ? one.properties : []));
      for (const { start, end } of named) found.push([start, source[end] === ',' ? end + 1 : end, '']);
    },
    IfStatement: ({ consequent, alternate }) => {
      for (const branch of [consequent, alternate]) if (branch) found.push([branch.start, branch.end, '{}']);
    },
  }).visit(parseSync(path, source).program);
  return found;
}

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** The words of a path below its room, such as `quota` and `watch` in `src/commands/quotas/watch.ts`. */
const wordsOf = (path: string) =>
  (path.match(/[^/.-]+/g) ?? []).slice(2, -1).map((word) => word.replace(/s$/, ''));

/** The tests that import a file; and those whose names are most like its path, or the paths of its importers. */
function closestTests(file: string): string[][] {
  const imports = (path: string) => read(path).includes(`/${basename(file).replace(/\.tsx?$/, '')}.js'`);
  const sources = [file, ...git('ls-files', 'src').filter(imports)].map(wordsOf);
  const likeness = (test: string) =>
    Math.max(...sources.map((words) => wordsOf(test).filter((word) => words.includes(word)).length)) /
    wordsOf(test).length;
  const tests = git('ls-files', 'test/*.test.ts');
  const others = tests.filter((test) => !imports(test) && likeness(test) > 0);
  others.sort((one, other) => likeness(other) - likeness(one));
  return [tests.filter(imports), others.slice(0, 20)].filter((group) => group.length > 0);
}

const [head, base = ''] = [...git('rev-parse', 'HEAD'), ...git('merge-base', 'HEAD', 'main')];
const since = base === head ? 'HEAD~1' : base;
const changed = git('diff', '--name-only', '--diff-filter=d', since, '--', 'src/*.ts', 'src/*.tsx');
const files = process.argv.length > 2 ? process.argv.slice(2) : changed;
const copy = mkdtempSync(join(tmpdir(), 'orgctl-mutants-'));

/** A change that makes tests hang is noticed. */
function pass(tests: readonly string[]): boolean {
  const args = ['run', '--project', 'test', '--passWithNoTests', '--bail', '1', ...tests];
  return spawnSync('npx', ['vitest', ...args], { cwd: copy, timeout: 180_000 }).status === 0;
}

try {
  copyTree(copy);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const file of files) {
    const [source, tests] = [read(file), closestTests(file)];
    if (!tests.every(pass)) throw new Error(`the tests of ${file} fail already: ${tests.flat().join(' ')}`);
    for (const [start, end, text] of mutantsOf(file, source)) {
      writeFileSync(join(copy, file), source.slice(0, start) + text + source.slice(end));
      // An old file, for which nothing is built again.
      utimesSync(join(copy, file), 0, 0);
      if (!tests.every(pass)) continue;
      process.exitCode = 1;
      const line = source.slice(0, start).split('\n').length;
      console.log(`survived: ${file}:${line}: ${source.slice(start, end)} -> ${text || 'nothing'}`);
    }
    writeFileSync(join(copy, file), source);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
