import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';

export async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A database for the calling file; `fresh` returns the URL of an empty schema. */
export function useDatabase(): { readonly url: string; fresh(): Promise<string> } {
  const name = `orgctl_test_${randomBytes(6).toString('hex')}`;
  let schemas = 0;
  const own = () => {
    const url = new URL(inject('postgres'));
    url.pathname = `/${name}`;
    return url.href;
  };
  beforeAll(() => execute(inject('postgres'), `create database ${name}`));
  afterAll(() => execute(inject('postgres'), `drop database ${name} with (force)`));
  return {
    get url() {
      return own();
    },
    async fresh() {
      schemas += 1;
      await execute(own(), `create schema fresh_${schemas}`);
      const url = new URL(own());
      url.searchParams.set('options', `-c search_path=fresh_${schemas}`);
      return url.href;
    },
  };
}
