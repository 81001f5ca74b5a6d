import { describe, expect, it } from 'vitest';
import { connectionInputSchema, shownConfig } from '../../../src/api/resources/connection.js';
import { describeIssues, z } from '../../../src/api/schema/schema.js';

const config = {
  host: 'db.example.com',
  port: 5432,
  database: 'app',
  user: 'app',
  password: 'pw-1',
  ssl: true,
};

function issuesOf(body: unknown): string {
  const result = z.safeParse(connectionInputSchema(body), body);
  return result.success ? '' : describeIssues(result.error);
}

it('names every fault, and no value: it may be a password', () => {
  const issues = issuesOf({ type: 'pg', config: { ...config, password: 12_345, port: 'pw-2' } });
  expect(issues.split('; ')).toHaveLength(3);
  expect(issues).not.toMatch(/12345|pw-2/);
});

describe('shownConfig', () => {
  it('has the fields that are known to be harmless, and nothing else', () => {
    const secrets = {
      ...{ sslpassword: 's-1', sslkey: 's-2', passwd: 's-3', pw: 's-4', token: 's-5', PASSWORD: 's-6' },
      ...{
        nested: { password: 's-7' },
        list: ['s-8'],
        url: 'postgres://app:s-9@db/app',
        id: { user: 's-10' },
      },
    };
    const { password: _, ...harmless } = config;
    expect(shownConfig({ ...config, ...secrets })).toEqual(harmless);
  });

  it('has no harmless field in which a secret stands', () => {
    const host = 'postgres://app:s-1@db.example.com/app';
    expect(shownConfig({ host, database: 'app password=s-2', user: 'f'.repeat(64), port: 5432 })).toEqual({
      port: 5432,
    });
  });
});
