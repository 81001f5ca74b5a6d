import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from '../../build/install.js';
import { z } from '../../src/api/schema/schema.js';
import { type Area, areas } from './areas.js';
import { type NoFault, noFaults, noticedElsewhere } from './no-faults.js';

// npm run test:mutants [-- AREA …]: changes the sources in hundreds of small ways, and tells which changes no test noticed.

/** The share of mutants that tests have to notice, in percent; the rest stands in no-faults.ts, with its reasons. */
const least = 92;

const reportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          status: z.string(),
          replacement: z.optional(z.string()),
          coveredBy: z.optional(z.array(z.string())),
          testsCompleted: z.optional(z.number()),
          location: z.object({ start: z.object({ line: z.number() }) }),
        }),
      ),
    }),
  ),
});

interface Survivor {
  readonly file: string;
  readonly line: string;
  readonly becomes: string;
}

function mutate({ mutate, tests }: Area): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'orgctl-mutants-'));
  const report = join(directory, 'report.json');
  const options = {
    testRunner: 'vitest',
    plugins: [
      join(install('test/mutants'), '@stryker-mutator', 'vitest-runner'),
      join(import.meta.dirname, 'survivors.js'),
    ],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    mutate,
    coverageAnalysis: 'perTest',
    // setup.ts ends what needs no further test.
    disableBail: true,
    // What is computed once when a file is loaded would need a start of its own for each mutant.
    ignoreStatic: true,
    concurrency: 2,
    // A change that never ends is counted by its loops; a machine that is busy is no change that never ends.
    timeoutMS: 180_000,
    // What mutants leave behind in a worker that stays is not to gather without end.
    maxTestRunnerReuse: 200,
    reporters: ['json', 'progress-append-only', 'survivors'],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
    // TypeScript 7 has no compiler that could rewrite it.
    tsconfigFile: 'no-tsconfig-to-rewrite.json',
    tempDirName: 'node_modules/.cache/mutants',
    ignorePatterns: ['bench', 'dist*', 'docs', 'src/console', 'test/{console,golden,hard,postgres}', '*.md'],
  };
  const config = join(directory, 'stryker.json');
  writeFileSync(config, JSON.stringify(options));
  const env = { ...process.env, ORGCTL_TEST_MUTANTS: tests.join(' ') };
  const stryker = join(install('test/mutants'), '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], { stdio: 'inherit', env });
  return status === 0 ? report : undefined;
}

/** Tells how an area did, and each survivor that has no reason; whether it did well. */
function judge(name: string, report: string): boolean {
  const { files } = z.parse(reportSchema, JSON.parse(readFileSync(report, 'utf8')));
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status))
      .map(({ status, replacement, location, coveredBy = [], testsCompleted }) => ({
        file,
        line: source.split('\n')[location.start.line - 1]?.trim() ?? '',
        becomes: (replacement ?? '').trim(),
        // Where no test ran at all of those that there are, the sources could not even be loaded.
        isKilled:
          status === 'Killed' || status === 'Timeout' || (coveredBy.length > 0 && testsCompleted === 0),
      })),
  );
  const survivors = all.filter((mutant) => !mutant.isKilled && !isAmong(noticedElsewhere, mutant));
  const share = (100 * (all.length - survivors.length)) / all.length;
  console.log(`${name}: ${all.length} mutants, ${share.toFixed(1)} % noticed, ${survivors.length} not`);
  const faults = survivors.filter((survivor) => !isAmong(noFaults, survivor));
  for (const { file, line, becomes } of faults) console.log(`  ${file}: ${line}\n    becomes: ${becomes}`);
  const known = [...noFaults, ...noticedElsewhere].filter(({ file }) => file in files);
  for (const { file, line } of known.filter((one) => !all.some((mutant) => isAmong([one], mutant)))) {
    console.log(`  ${file}: ${line}\n    is in no-faults.ts, and not in the sources any more`);
  }
  return share >= least && faults.length === 0;
}

function isAmong(list: readonly Omit<NoFault, 'reason'>[], { file, line, becomes }: Survivor): boolean {
  return list.some((known) => known.file === file && known.line === line && known.becomes.includes(becomes));
}

const names = process.argv.slice(2);
const chosen = Object.entries(areas).filter(([name]) => names.length === 0 || names.includes(name));
if (chosen.length === 0) console.error(`areas: ${Object.keys(areas).join(', ')}`);
const poor = chosen.filter(([name, area]) => {
  const report = mutate(area);
  return report === undefined || !judge(name, report);
});
if (poor.length > 0) console.error(`not well tested: ${poor.map(([name]) => name).join(', ')}`);
process.exitCode = poor.length === 0 && chosen.length > 0 ? 0 : 1;
