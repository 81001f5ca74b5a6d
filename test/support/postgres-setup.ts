import type { TestProject } from 'vitest/node';
import { findPostgres, PostgresCluster } from './postgres-cluster.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The storage engine, for suites that run over each. */
    engine: 'embedded' | 'postgresql';
    postgres: string;
  }
}

/**
 * Provides `ORGCTL_TEST_DATABASE`, or a PostgreSQL for this run.
 * @throws Error with neither
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide('engine', 'postgresql');
  const given = process.env['ORGCTL_TEST_DATABASE'];
  if (given) {
    project.provide('postgres', given);
    return undefined;
  }
  const programs = findPostgres();
  if (programs === undefined) {
    throw new Error(
      'PostgreSQL is not installed: install its server, or set ORGCTL_TEST_DATABASE to the URL of one',
    );
  }
  const cluster = await PostgresCluster.start(programs);
  project.provide('postgres', cluster.url());
  return () => cluster.stop();
}
