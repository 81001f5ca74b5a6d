import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from '../../src/api/schema/schema.js';
import { copyTree } from '../support/tree-copy.js';
import type { Fault } from './fault.js';
import { faults } from './faults.js';
import { placeOf, readSources } from './place-of.js';

// npm run test:faults [-- WORD …]: puts each fault into a copy of the tree, runs the tests that are to notice it, and
// says which did. A fault that nothing notices, or that has no place in the sources any more, fails the run.

const root = join(import.meta.dirname, '..', '..');
const reportSchema = z.object({
  testResults: z.array(
    z.object({
      message: z.string(),
      name: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

function copyWithModules(): string {
  const copy = mkdtempSync(join(tmpdir(), 'orgctl-faults-'));
  copyTree(copy);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** The names of the tests that failed; a file that does not even load counts with its path. */
function failingTests(copy: string, tests: readonly string[]): string[] {
  const report = join(copy, 'report.json');
  const projects = ['orgctl', 'fresh', 'postgresql'].flatMap((project) => ['--project', project]);
  const vitest = [
    'vitest',
    'run',
    ...projects,
    '--bail',
    '1',
    '--reporter',
    'json',
    '--outputFile',
    report,
    ...tests,
  ];
  spawnSync('npx', vitest, { cwd: copy, stdio: 'ignore', env: { ...process.env, NO_COLOR: '1' } });
  const { testResults } = z.parse(reportSchema, JSON.parse(readFileSync(report, 'utf8')));
  rmSync(report);
  return testResults.flatMap(({ message, name, assertionResults }) => {
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    return failed.length === 0 && message !== '' ? [`${name.slice(copy.length + 1)}: ${message}`] : failed;
  });
}

type Sources = ReturnType<typeof readSources>;

/** What came of one fault; whether it was noticed. */
function tryFault(copy: string, sources: Sources, { name, find, replace, tests }: Fault): boolean {
  const path = placeOf(sources, find);
  if (path === undefined) {
    console.log(`NO PLACE  ${name}: the sources do not have it once: ${find}`);
    return false;
  }
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    const [first] = failingTests(copy, tests);
    console.log(first === undefined ? `SURVIVED  ${name}` : `caught    ${name}\n            by: ${first}`);
    return first !== undefined;
  } finally {
    writeFileSync(path, text);
  }
}

const words = process.argv.slice(2);
const chosen = faults.filter(({ name }) => words.every((word) => name.includes(word)));
const copy = copyWithModules();
const sources = readSources(copy);
try {
  const unplanted = failingTests(copy, [...new Set(chosen.flatMap(({ tests }) => tests))]);
  if (unplanted.length > 0) throw new Error(`these tests fail without any fault: ${unplanted.join('; ')}`);
  const missed = chosen.filter((fault) => !tryFault(copy, sources, fault)).length;
  console.log(`${chosen.length - missed} caught, ${missed} missed`);
  process.exitCode = missed === 0 && chosen.length > 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
