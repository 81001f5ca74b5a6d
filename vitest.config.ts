import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';

const tests = (...globs: string[]) => globs.map((glob) => `test/${glob}.test.ts`);
const [slow, alone] = [tests('console/*', '*/*.slow'), tests('hard/*')];
const [packed, engines, postgres] = [
  tests('package/*.packed'),
  tests('*/*.engines'),
  tests('data/*.postgres'),
];
const executable = { ORGCTL_TEST_EXECUTABLE: join(import.meta.dirname, 'dist-standalone/orgctl') };
const processes = { isolate: true, maxWorkers: 2, sequence: { groupOrder: 1 }, testTimeout: 600_000 };

// The executable has Node.js's own SQLite in place of the native package.
const nodeSqlite = { alias: [{ find: /^(\..*)\/libsql\.js$/, replacement: '$1/node-sqlite.js' }] };

/** `npm test` runs the suite `test`, and `npm run test:all` runs them all. */
const suites: Record<string, UserWorkspaceConfig['test']> = {
  test: { include: tests('**/*'), exclude: [...slow, ...alone, ...postgres, ...packed] },
  'all-slow': { include: slow },
  'all-built': { include: tests('spec/*'), env: { ORGCTL_TEST_BUILT: '1' } },
  'all-postgresql': { include: [...engines, ...postgres], globalSetup: 'test/support/postgres-setup.ts' },
  'all-node-sqlite': {
    include: isBuiltin('node:sqlite') ? [...engines, ...tests('data/*.sqlite')] : [],
    env: { ORGCTL_TEST_SQLITE: 'node' },
  },
  'all-executable': { include: tests('package/*'), exclude: slow, env: executable, ...processes },
  'all-alone': { include: alone, ...processes },
};

export default defineConfig({
  test: {
    // Files share their modules: none may leave anything behind but its temporary files.
    ...{ isolate: false, maxWorkers: 4, execArgv: ['--max-semi-space-size=64'] },
    experimental: { fsModuleCache: true, fsModuleCachePath: join(import.meta.dirname, '.vitest') },
    ...{ testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000, interval: 10 } } },
    globalSetup: ['test/support/temporary-files.ts', 'test/support/build-setup.ts'],
    provide: { engine: 'embedded' },
    projects: Object.entries(suites).map(([name, suite]) => ({
      ...{ extends: true, test: { name, ...suite }, resolve: name === 'all-node-sqlite' ? nodeSqlite : {} },
    })),
  },
});
