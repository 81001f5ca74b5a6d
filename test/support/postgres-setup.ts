import type { TestProject } from 'vitest/node';
import { findPostgres, PostgresCluster } from './postgres-cluster.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the suites that run over every engine keep their data in. */
    engine: 'embedded' | 'postgresql';
    /** A PostgreSQL in which databases can be made. */
    postgres: string;
  }
}

const sayThatItWasNotTested = async () => {
  process.stderr.write(
    '\nPostgreSQL was not tested: install its server, or set ORGCTL_TEST_DATABASE to the URL of one.\n',
  );
};

/** Provides the PostgreSQL of `ORGCTL_TEST_DATABASE`, or else one that runs as long as the tests. */
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
