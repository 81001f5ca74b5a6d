import { describe, expect, it } from 'vitest';
import { differences } from '../../src/organization/plan/differences.js';

const password = { env: 'P' };
const config = { host: 'db', port: 1, pool: { min: 1, max: 2 } };
const existing = { id: 'conn_1', name: 'a', type: 'pg', config };

describe('the differences of an entry and its resource', () => {
  it('are those of the fields that it names, and none where the service has more', () => {
    const entry = { name: 'a', config: { host: 'db', pool: { max: 2 }, database: null, password } };
    expect(differences(entry, existing)).toEqual({ changes: [], hidden: ['config.password'], patch: {} });
  });

  it('are sent with what the service has beside them, and without secrets', () => {
    const { changes, patch } = differences({ name: 'b', config: { pool: { max: 3 }, password } }, existing);
    expect(changes).toEqual([
      { field: 'name', from: 'a', to: 'b' },
      { field: 'config.pool', from: { min: 1, max: 2 }, to: { max: 3 } },
    ]);
    expect(patch).toEqual({ name: 'b', config: { pool: { min: 1, max: 3 } } });
  });

  it('take secrets along when told to, and where the type changes', () => {
    const entry = { name: 'a', type: 'mysql', config: { host: 'db', password } };
    const { patch } = differences(entry, existing);
    expect(patch).toEqual({ type: 'mysql', config: { host: 'db', password } });
    const told = differences({ name: 'a', config: { password } }, existing, true);
    expect(told.patch).toEqual({ config: { password } });
  });

  it.each([
    ['the other name of PostgreSQL', { type: 'postgresql' }, 0],
    ['another type', { type: 'mysql' }, 1],
    ['the other name of PostgreSQL where that is no type', { config: { type: 'postgresql' } }, 1],
    ['a number as text', { config: { port: '5432', pool: { max: '2' } } }, 0],
    ['text as a number', { config: { version: 16 } }, 0],
    ['another number as text', { config: { port: '5433' } }, 1],
    ['a switch as text', { config: { ssl: 'true' } }, 0],
    ['a switch turned off', { config: { ssl: false } }, 1],
    ['a switch as a number', { config: { ssl: 1 } }, 0],
    ['a switch as a number in text, turned off', { config: { ssl: '0' } }, 1],
    ['a number that is no switch', { config: { port: true, pool: { max: true } } }, 2],
    ['a host in capitals', { config: { host: 'DB' } }, 0],
    ['a database in capitals', { config: { database: 'APP' } }, 1],
  ])('are of values, not of their spelling: %s', (_, wanted, count) => {
    const settings = { host: 'db', port: 5432, database: 'app', ssl: true, version: '16', pool: { max: 2 } };
    const found = { name: 'a', type: 'pg', config: { ...settings, type: 'pg' } };
    expect(differences({ name: 'a', ...wanted }, found).changes).toHaveLength(count);
  });

  it('are not those of a default that the service leaves out', () => {
    const { host } = config;
    const shown = { ...existing, config: { host } };
    const fieldsOf = (wanted: object, type = 'pg') =>
      differences({ name: 'a', config: wanted }, { ...shown, type }).changes.map(({ field }) => field);
    expect(fieldsOf({ host, port: 5432, ssl: true })).toEqual([]);
    expect(fieldsOf({ host, port: 5433, ssl: false })).toEqual(['config.port', 'config.ssl']);
    expect(fieldsOf({ host, port: 5432 }, 'mysql')).toEqual(['config.port']);
  });

  it('of another type are not those that the service does not tell', () => {
    const other = { name: 'm', type: 'mysql', config: { host: 'db' } };
    const entry = { name: 'm', config: { host: 'db2', token: 'x' } };
    expect(differences(entry, other)).toMatchObject({
      changes: [{ field: 'config.host' }],
      hidden: ['config.token'],
      patch: { config: { host: 'db2' } },
    });
  });

  it('are not those that the service does not return and that may be secret, of any type', () => {
    const entry = { name: 'a', config: { port: 2, sslpassword: 'x', labels: { env: 'production' } } };
    expect(differences(entry, existing)).toMatchObject({
      changes: [{ field: 'config.port' }],
      hidden: ['config.sslpassword', 'config.labels'],
      patch: { config: { port: 2 } },
    });
  });

  it('are unknown if the service does not return a setting that every PostgreSQL connection has', () => {
    const entry = { name: 'a', config: { user: 'app', port: 2 } };
    expect(differences(entry, existing)).toMatchObject({ unknown: ['config.user'], hidden: ['config.user'] });
    expect(differences(entry, { ...existing, type: 'mysql' }).changes).toHaveLength(2);
    expect(differences(entry, existing, true).patch).toEqual({ config: { port: 2, user: 'app' } });
  });

  it.each([
    ['has more members', ['a', 'b'], ['a', 'b', 'c'], 1],
    ['has fewer members', ['a', 'b'], ['a'], 1],
    ['has another order', ['a', 'b'], ['b', 'a'], 1],
    ['has the same members', ['a', 'b'], ['a', 'b'], 0],
    ['has members with more fields', [{ a: 1 }], [{ a: 1, b: 2 }], 0],
  ])('are those of whole lists, where the service %s', (_, wanted, shown, count) => {
    const found = { ...existing, config: { schemas: shown } };
    expect(differences({ name: 'a', config: { schemas: wanted } }, found).changes).toHaveLength(count);
  });

  it('are those of every nested field, not of the first alone', () => {
    const { changes } = differences({ name: 'a', config: { pool: { min: 1, max: 3 } } }, existing);
    expect(changes).toMatchObject([{ field: 'config.pool' }]);
  });
});
