import type { TestProject } from 'vitest/node';
import { findPostgres, PostgresCluster } from './postgres-cluster.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The storage engine, for suites that run over each. */
    engine: 'embedded' | 'postgresql';
    postgres: string;
  }
}

const sayThatItWasNotTested = async () => {
  process.stderr.write(
    '\nPostgreSQL was not tested: install its server, or set ORGCTL_TEST_DATABASE to the URL of one.\n',
  );
};

/** Provides `ORGCTL_TEST_DATABASE`, or a PostgreSQL for this run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['ORGCTL_TEST_DATABASE'];
  if (given) {
    project.provide('postgres', given);
    return undefined;
  }
  const programs = findPostgres();
  if (programs === undefined) return sayThatItWasNotTested;
  const cluster = await PostgresCluster.start(programs);
  project.provide('postgres', cluster.url());
  return () => cluster.stop();
}
