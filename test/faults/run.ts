import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { copyTree } from '../support/tree-copy.js';
import type { Fault } from './fault.js';
import { faults } from './faults.js';
import { placeOf, readSources } from './place-of.js';

// npm run test:faults [-- WORD …]: puts each fault whose name has one of the words into a copy of the tree, runs the tests
// that are to notice it, and says which did. A fault that nothing notices, or that has no place any more, fails the run.

const root = join(import.meta.dirname, '..', '..');

function copyWithModules(): string {
  const copy = mkdtempSync(join(tmpdir(), 'orgctl-faults-'));
  copyTree(copy);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** One Vitest for all faults: it keeps what it has transformed, and its database server. */
async function openVitest(copy: string, chosen: readonly Fault[]): Promise<Vitest> {
  const onPostgres = chosen.some(({ tests }) => tests.some((path) => path.startsWith('test/postgres')));
  const vitest = await createVitest('test', {
    root: copy,
    watch: false,
    bail: 1,
    maxWorkers: 1,
    isolate: true,
    project: ['orgctl', 'fresh', ...(onPostgres ? ['postgresql'] : [])],
    reporters: [{}],
  });
  await vitest.standalone();
  return vitest;
}

/** The first test that failed; a file that does not even load counts with its path. */
async function findFailing(vitest: Vitest, tests: readonly string[]): Promise<string | undefined> {
  const specifications = await vitest.globTestSpecifications([...tests]);
  if (specifications.length === 0) throw new Error(`there are no such tests: ${tests.join(' ')}`);
  // It keeps the results of earlier runs among those of this one.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const module of testModules) {
    for (const test of module.children.allTests('failed')) return test.fullName;
    if (!module.ok()) return `${module.relativeModuleId}: ${module.errors()[0]?.message ?? 'it failed'}`;
  }
  return unhandledErrors.length > 0 ? `an error outside of tests: ${String(unhandledErrors[0])}` : undefined;
}

type Sources = ReturnType<typeof readSources>;

/** What came of one fault; whether it was noticed. */
async function tryFault(
  vitest: Vitest,
  sources: Sources,
  { name, find, replace, tests }: Fault,
): Promise<boolean> {
  const path = placeOf(sources, find);
  if (path === undefined) {
    console.log(`NO PLACE  ${name}: the sources do not have it once: ${find}`);
    return false;
  }
  const text = readFileSync(path, 'utf8');
  const write = (changed: string): void => {
    writeFileSync(path, changed);
    vitest.invalidateFile(path);
  };
  write(text.replace(find, () => replace));
  try {
    const first = await findFailing(vitest, tests);
    console.log(first === undefined ? `SURVIVED  ${name}` : `caught    ${name}\n            by: ${first}`);
    return first !== undefined;
  } finally {
    write(text);
  }
}

async function tryFaults(copy: string, chosen: readonly Fault[]): Promise<number> {
  const vitest = await openVitest(copy, chosen);
  try {
    const unplanted = await findFailing(vitest, [...new Set(chosen.flatMap(({ tests }) => tests))]);
    if (unplanted !== undefined) throw new Error(`this test fails without any fault: ${unplanted}`);
    const sources = readSources(copy);
    let missed = 0;
    for (const fault of chosen) if (!(await tryFault(vitest, sources, fault))) missed += 1;
    return missed;
  } finally {
    await vitest.close();
  }
}

const words = process.argv.slice(2);
const chosen = faults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const copy = copyWithModules();
try {
  const missed = await tryFaults(copy, chosen);
  console.log(`${chosen.length - missed} caught, ${missed} missed`);
  process.exitCode = missed === 0 && chosen.length > 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
