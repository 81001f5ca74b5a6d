import { describe, expect, it } from 'vitest';
import {
  connectionInputSchema,
  connections,
  isPostgres,
  shownConfig,
} from '../../../src/api/resources/connection.js';
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

it('knows the two names of PostgreSQL, and no other', () => {
  const types = ['postgresql', 'pg', 'PG', 'mysql', '', undefined, ['pg']];
  expect(types.filter(isPostgres)).toEqual(['postgresql', 'pg']);
});

describe('connectionInputSchema', () => {
  it.each([
    ['postgresql', { name: 'a', type: 'postgresql', config }],
    ['pg', { name: 'a', type: 'pg', config }],
    ['an empty password', { name: 'a', type: 'pg', config: { ...config, password: '' } }],
    ['further settings', { name: 'a', type: 'pg', config: { ...config, schema: 'public' } }],
    ['another type with any settings', { name: 'a', type: 'mysql', config: { anything: ['goes'] } }],
    ['a type that begins with pg', { name: 'a', type: 'pgvector', config: {} }],
    ['a type that begins with postgresql', { name: 'a', type: 'postgresql-ha', config: {} }],
  ])('takes %s', (_case, body) => {
    expect(z.parse(connectionInputSchema(body), body)).toEqual(body);
  });

  it.each([
    ['a list', [], 'must be an object, not an array'],
    ['no name', { type: 'pg', config }, 'name:'],
    ['an empty name', { name: '', type: 'pg', config }, 'name:'],
    ['a long name', { name: 'a'.repeat(256), type: 'pg', config }, 'name:'],
    ['no type', { name: 'a', config }, 'type:'],
    ['no config', { name: 'a', type: 'pg' }, 'config:'],
    ['config that is a list', { name: 'a', type: 'mysql', config: [] }, 'config:'],
    ['a port that is text', { name: 'a', type: 'pg', config: { ...config, port: '5432' } }, 'config.port:'],
    ['port 0', { name: 'a', type: 'pg', config: { ...config, port: 0 } }, 'config.port:'],
    ['port 65536', { name: 'a', type: 'pg', config: { ...config, port: 65_536 } }, 'config.port:'],
    ['a port with a fraction', { name: 'a', type: 'pg', config: { ...config, port: 1.5 } }, 'config.port:'],
    ['ssl that is text', { name: 'a', type: 'pg', config: { ...config, ssl: 'true' } }, 'config.ssl:'],
    ['no password', { name: 'a', type: 'pg', config: { host: 'h' } }, 'config.password:'],
    ['an empty host', { name: 'a', type: 'pg', config: { ...config, host: '' } }, 'config.host:'],
  ])('refuses %s and says where', (_case, body, where) => {
    expect(issuesOf(body)).toContain(where);
  });

  it('names every fault, and no value: it may be a password', () => {
    const issues = issuesOf({ type: 'pg', config: { ...config, password: 12_345, port: 'pw-2' } });
    expect(issues.split('; ')).toHaveLength(3);
    expect(issues).not.toMatch(/12345|pw-2/);
  });
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

it('a change has any of the fields, each as at the creation', () => {
  const bodies = [
    {},
    { name: 'b' },
    { config: { port: 1 } },
    { name: '' },
    { config: [] },
    { type: 1 },
    null,
  ];
  const taken = bodies.filter((body) => z.safeParse(connections.patch, body).success);
  expect(taken).toEqual([{}, { name: 'b' }, { config: { port: 1 } }]);
});
