import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { copyTree } from '../support/tree-copy.js';
import { type Fault, faults } from './faults.js';
import { placeOf, readSources } from './place-of.js';

// npx tsx test/faults/run.ts [WORD …]: puts each fault, or those whose name has one of the words or whose file is named so, into a
// copy of the tree, runs the tests that are to notice it, and says which did. One that nothing notices, or that has no place
// any more, fails the run.

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
    project: ['test', 'all-slow', 'all-alone', ...(onPostgres ? ['all-postgresql'] : [])],
    reporters: [{}],
  });
  await vitest.standalone();
  return vitest;
}

/** The first test that failed; a file that does not even load counts with its path. */
async function findFailing(vitest: Vitest, tests: readonly string[]): Promise<string | undefined> {
  const found = await vitest.globTestSpecifications([...tests]);
  // On the shared database only what is about it.
  const specifications = found.filter(
    ({ project, moduleId }) => project.name !== 'all-postgresql' || moduleId.includes('/test/postgres/'),
  );
  if (specifications.length === 0) return 'there are no such tests';
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
  const start = performance.now();
  try {
    const first = await findFailing(vitest, tests);
    const took = `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const came = first === undefined ? `SURVIVED  ${name}` : `caught    ${name}`;
    console.log(`${came} (${took})${first === undefined ? '' : `\n            by: ${first}`}`);
    return first !== undefined;
  } finally {
    write(text);
  }
}

/** Faults of the same tests, which have to pass without any; the number that was noticed. */
async function tryTogether(vitest: Vitest, sources: Sources, together: readonly Fault[]): Promise<number> {
  const tests = together[0]?.tests ?? [];
  const failing = await findFailing(vitest, tests);
  if (failing !== undefined) {
    console.log(`UNKNOWN   ${together.length} faults of ${tests.join(' ')}: fails without any: ${failing}`);
    return 0;
  }
  let noticed = 0;
  for (const fault of together) if (await tryFault(vitest, sources, fault)) noticed += 1;
  return noticed;
}

async function tryFaults(copy: string, chosen: readonly Fault[]): Promise<number> {
  const vitest = await openVitest(copy, chosen);
  try {
    const sources = readSources(copy);
    let noticed = 0;
    for (const tests of new Set(chosen.map((fault) => fault.tests.join(' ')))) {
      const together = chosen.filter((fault) => fault.tests.join(' ') === tests);
      noticed += await tryTogether(vitest, sources, together);
    }
    return noticed;
  } finally {
    await vitest.close();
  }
}

const words = process.argv.slice(2);
const chosen = faults.filter(
  ({ area, name }) => words.length === 0 || words.some((word) => word === area || name.includes(word)),
);
const copy = copyWithModules();
// What a fault writes to the working directory goes with the copy.
process.chdir(copy);
try {
  const noticed = await tryFaults(copy, chosen);
  console.log(`${noticed} caught, ${chosen.length - noticed} missed`);
  process.exitCode = noticed === chosen.length && noticed > 0 ? 0 : 1;
} finally {
  process.chdir(root);
  rmSync(copy, { recursive: true, force: true });
}
