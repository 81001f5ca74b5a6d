import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// npm run test:mutants [-- AREA …]: changes the sources in hundreds of small ways, and tells which changes no test noticed.
// Each area is held against its own tests alone: those that stand beside it, and notice in seconds.

interface Area {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const areas: Readonly<Record<string, Area>> = {
  signing: { mutate: ['src/signing/*.ts'], tests: ['test/signing/*.test.ts'] },
  client: { mutate: ['src/client/*.ts'], tests: ['test/client/*.test.ts'] },
  profiles: { mutate: ['src/profiles/*.ts'], tests: ['test/profiles/*.test.ts'] },
  rotation: {
    mutate: ['src/commands/api-keys/{rotation,interrupted-creation,secret-sink,secret-file}.ts'],
    tests: ['test/commands/api-key*.test.ts'],
  },
  bulk: {
    mutate: ['src/commands/{bulk,attempts}.ts'],
    tests: ['test/commands/{bulk,attempts}.test.ts'],
  },
  authentication: {
    mutate: ['src/server/authentication/*.ts', 'src/server/pipeline/admission.ts'],
    tests: ['test/server/{authentication,constant-time,clock,signed-bytes,explain}.test.ts'],
  },
  quotas: {
    mutate: ['src/storage/{quotas,group-commit}.ts'],
    tests: ['test/storage/*.test.ts', 'test/server/{quotas,resources,lists,organizations}.test.ts'],
  },
};

/** The share of mutants that have to be noticed, in percent. */
const least = 92;

function run(name: string, { mutate, tests }: Area): boolean {
  const config = join(mkdtempSync(join(tmpdir(), 'orgctl-mutants-')), `${name}.json`);
  const options = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutants.config.ts', related: false },
    mutate,
    coverageAnalysis: 'perTest',
    // What is computed once when a file is loaded would need a start of its own for each mutant.
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 10_000,
    thresholds: { high: least, low: least, break: least },
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, logTests: false },
    allowConsoleColors: false,
    // TypeScript 7 has no compiler that could rewrite it.
    tsconfigFile: 'no-tsconfig-to-rewrite.json',
    tempDirName: 'node_modules/.cache/mutants',
  };
  writeFileSync(config, JSON.stringify(options));
  const env = { ...process.env, ORGCTL_TEST_MUTANTS: tests.join(' ') };
  return spawnSync('npx', ['stryker', 'run', config], { stdio: 'inherit', env }).status === 0;
}

const names = process.argv.slice(2);
const chosen = Object.entries(areas).filter(([name]) => names.length === 0 || names.includes(name));
if (chosen.length === 0) console.error(`areas: ${Object.keys(areas).join(', ')}`);
const poor = chosen.filter(([name, area]) => !run(name, area)).map(([name]) => name);
if (poor.length > 0) console.error(`less than ${least} % noticed: ${poor.join(', ')}`);
process.exitCode = poor.length === 0 && chosen.length > 0 ? 0 : 1;
