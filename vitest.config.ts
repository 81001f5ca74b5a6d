import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findPostgres } from './test/support/postgres-cluster.js';

// What runs once more on PostgreSQL: all of the storage, and of the server what lives by its data.
const onBothEngines = [
  'test/storage/**/*.test.ts',
  'test/server/**/{control,organizations,quotas,rate-limit,resources,seed,rotate-master-key,any-sequence}.test.ts',
];
// Replaces functions of Node that an installed package takes once, when it is loaded.
const inFreshModules = ['test/platform/durable-file.test.ts'];
const onPostgresAlone = ['test/postgres/**/*.test.ts'];
const withoutPostgres = 'test/support/without-postgres.test.ts';
const hasPostgres = Boolean(process.env['ORGCTL_TEST_DATABASE']) || findPostgres() !== undefined;

const temporaryFiles = 'test/support/temporary-files.ts';
const globalSetup = [temporaryFiles, 'test/support/build-setup.ts'];
const provide = { engine: 'embedded' as const };
// Bounds against a hang, not measures: machines that share their cores are slow.
const bounds = (seconds: number) => ({
  testTimeout: 1000 * seconds,
  hookTimeout: 1000 * Math.min(seconds, 120),
});

/** Every test but attacks, packages and the second engines. */
const all = {
  include: ['test/**/*.test.ts'],
  exclude: [...onPostgresAlone, ...inFreshModules, withoutPostgres, 'test/{hard,packaging}/**'],
};

/** Starts processes again and again, tries very many inputs, or waits for limits and clocks. */
const dear = [
  'test/{build,console,e2e,hard,libraries,packaging,postgres}/**',
  ...inFreshModules,
  'test/**/*{-process,-processes,-shells}.test.ts',
  withoutPostgres,
  'test/server/**/{durability,rotate-master-key,limits,fuzz,any-sequence,backup,restore-after-rotation,close,overload,ownership}.test.ts',
  'test/terminal/**/{long-lists,text-width}.test.ts',
  'test/**/{serve-maintenance,sign-curl,trusted-roots}.test.ts',
  'test/cli/start/build.test.ts',
];
/** Whole ways through several commands, and what foreign services and hostile clients may do: seconds for each file. */
const thorough = [
  'test/dialects/**',
  'test/proxy/{compare,robustness,unchanged}.test.ts',
  'test/organization/{apply*,cut-file,export,input,organization,secret*,summary-lists}.test.ts',
  'test/input/formats/{plain-yaml,yaml-text}.test.ts',
  'test/client/{broken-answers,capped-lists,coded-answers,create-client,foreign-*}.test.ts',
  'test/{api-description/document,docs,faults/faults,profiles/keyring/keyring}.test.ts',
  'test/profiles/secret-command/secret-command.test.ts',
  'test/server/{certificate,console*,control*,data,dialect,faults,journal-queries,lost-database}.test.ts',
  'test/server/{request-head,seed,send-request,server-file,slow-bodies,smuggling}.test.ts',
  'test/storage/{copy-database,schema,encryption/shown-settings}.test.ts',
  'test/verbs/{bulk,once-shown}.test.ts',
  'test/{signing/mistakes,terminal/text/sanitize}.test.ts',
  'test/commands/{foreign-*,probe*,proxy*,api-key-secrets,api-keys-rotate*,*-rotation,lost-creation}.test.ts',
  'test/commands/{completion,connection-forms,local,next-command,dialects-page,every-target,numbers,quotas-watch}.test.ts',
  'test/commands/{doctor*,echoed-secrets,exec,help-golden,organization-answers,resource-names,rotation-meanwhile,targets,unwritten-output}.test.ts',
  'test/commands/{local-logs,serve,serve-{command,profile,profile-kept,seed,test-controls}}.test.ts',
];

/**
 * The suites. `npm test` runs the first three, `proxied`, and `node-sqlite` where Node.js has it; the others have a script
 * each in package.json.
 */
const suites = {
  orgctl: all,
  fresh: { include: inFreshModules, isolate: true },
  postgresql: {
    include: hasPostgres ? [...onBothEngines, ...onPostgresAlone] : [withoutPostgres],
    globalSetup: [...globalSetup, 'test/support/postgres-setup.ts'],
    provide: { engine: 'postgresql' as const },
  },
  // After each change: nothing dear.
  quick: { include: all.include, exclude: [...dear, ...thorough], globalSetup: temporaryFiles },
  // What test:related chooses from.
  related: { include: all.include, exclude: dear, globalSetup: temporaryFiles },
  // What the server answers on the wire, once more through `orgctl proxy`; `through` names each permitted difference.
  proxied: {
    include: [
      'test/server/{authentication,bodies,faults,health,http,numbers}.test.ts',
      'test/server/{rate-limit,request-head,smuggling,stubs,wire-headers}.test.ts',
    ],
    provide: { ...provide, proxied: true },
  },
  // Attacks that take longer than a test may: kills, damaged files, full disks, overload (docs/operations/reliability.md).
  hard: { include: ['test/hard/**/*.test.ts'], isolate: true, ...bounds(600) },
  // What is installed without npm, after `npm run build:standalone`; the executable passes the tests of the built tool.
  packages: {
    include: [
      'test/packaging/*.test.ts',
      'test/e2e/*.test.ts',
      'test/commands/{completion-shells,command-line-process}.test.ts',
    ],
    isolate: true,
    env: { ORGCTL_TEST_EXECUTABLE: join(import.meta.dirname, 'dist-standalone', 'orgctl') },
    ...bounds(120),
  },
};

// The executable has Node.js's own SQLite in place of the native package.
const onNodeSqlite = {
  extends: true as const,
  resolve: { alias: [{ find: /^(\..*)\/libsql\.js$/, replacement: '$1/node-sqlite.js' }] },
  test: {
    name: 'node-sqlite',
    include: [
      'test/storage/**/*.test.ts',
      'test/server/{backup,data,quotas,resources,restore-after-rotation}.test.ts',
    ],
    globalSetup: temporaryFiles,
    provide,
    env: { ORGCTL_TEST_SQLITE: 'node' },
  },
};

export default defineConfig({
  test: {
    // Twice the two cores of CI, for tests wait for a socket, a child or a browser half of their time: Vitest would use one core.
    maxWorkers: 4,
    // Files that share their modules leave a young generation that is collected again and again.
    execArgv: ['--max-semi-space-size=64'],
    // Files share their modules, which takes half of the CPU: none may leave anything behind but its temporary files.
    isolate: false,
    // Not in node_modules, which copies of the tree share.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(import.meta.dirname, '.vitest') },
    ...bounds(60),
    expect: { poll: { timeout: 30_000, interval: 10 } },
    projects: [
      ...Object.entries(suites).map(([name, suite]) => ({
        extends: true as const,
        test: { name, globalSetup, provide, ...suite },
      })),
      ...(isBuiltin('node:sqlite') ? [onNodeSqlite] : []),
    ],
  },
});
