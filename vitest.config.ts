import { isBuiltin } from 'node:module';
import { defineConfig } from 'vitest/config';
import { standaloneParts } from './packaging/standalone/parts.js';
import { findPostgres } from './test/support/postgres-cluster.js';

// What runs once more on PostgreSQL: all of the storage, and of the server what lives by its data.
const onBothEngines = [
  'test/upgrades/*.test.ts',
  'test/storage/*.test.ts',
  'test/server/{control,organizations,quotas,rate-limit,resources,lists,seed,health,rotate-master-key,any-sequence}.test.ts',
];
// What replaces functions of Node that an installed package takes once, when it is loaded.
const inFreshModules = ['test/files/*.test.ts'];
const onPostgresAlone = ['test/postgres/**/*.test.ts'];
const withoutPostgres = 'test/support/without-postgres.test.ts';
// The same once more on Node.js's own SQLite, where the Node.js that runs them has it: it is what the standalone executable has.
const ofNode = isBuiltin('node:sqlite')
  ? [
      {
        extends: true as const,
        plugins: [standaloneParts()],
        test: {
          name: 'node-sqlite',
          include: ['test/storage/*.test.ts', 'test/server/{backup,data,resources,quotas}.test.ts'],
          globalSetup: 'test/support/temporary-files.ts',
          provide: { engine: 'embedded' as const },
        },
      },
    ]
  : [];
const hasPostgres = Boolean(process.env['ORGCTL_TEST_DATABASE']) || findPostgres() !== undefined;

export default defineConfig({
  test: {
    // More than cores, for most tests wait for a socket or a child a third of their time: of two cores Vitest would use one.
    maxWorkers: 3,
    // Files share their modules, which takes half of the CPU: none may leave anything behind but its temporary files.
    isolate: false,
    // Bounds against a hang, not measures: machines that share their cores are slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'fresh',
          include: inFreshModules,
          isolate: true,
          globalSetup: 'test/support/temporary-files.ts',
          provide: { engine: 'embedded' },
        },
      },
      {
        extends: true,
        test: {
          name: 'orgctl',
          include: ['test/**/*.test.ts'],
          exclude: [...onPostgresAlone, ...inFreshModules, withoutPostgres, 'test/{hard,packaging}/**'],
          globalSetup: 'test/support/temporary-files.ts',
          provide: { engine: 'embedded' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgresql',
          include: hasPostgres ? [...onBothEngines, ...onPostgresAlone] : [withoutPostgres],
          globalSetup: ['test/support/temporary-files.ts', 'test/support/postgres-setup.ts'],
          provide: { engine: 'postgresql' },
        },
      },
      ...ofNode,
    ],
  },
});
