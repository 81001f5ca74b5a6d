import { describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../../src/commands/connections/flags.js';
import { UsageError } from '../../../src/errors/errors.js';

const parse = (text: string) => parseDatabaseUrl(text, '--url');

describe('a PostgreSQL URL', () => {
  it.each([
    ['postgres://me@db:6432/app', { host: 'db', port: 6432, database: 'app', user: 'me' }],
    ['postgresql://me@db/app', { host: 'db', database: 'app', user: 'me' }],
    ['POSTGRES://me@DB.example.com/App', { host: 'DB.example.com', database: 'App', user: 'me' }],
    ['postgres://me:hunter2@db/app', { host: 'db', database: 'app', user: 'me', password: 'hunter2' }],
    ['postgres://me:@db/app', { host: 'db', database: 'app', user: 'me' }],
    ['postgres://a%40b:p%3A%2F%3F%23%25@db/a%2Fb', { user: 'a@b', password: 'p:/?#%', database: 'a/b' }],
    ['postgres://mé@db/naïve', { host: 'db', user: 'mé', database: 'naïve' }],
    ['postgres://me@[2001:db8::1]:5432/app', { host: '2001:db8::1', port: 5432 }],
    ['postgres://%2Fvar%2Frun/app', { host: '/var/run', database: 'app' }],
    ['postgres://', {}],
  ])('%s', (text, parts) => {
    expect(parse(text)).toMatchObject(parts);
    if (!('password' in parts)) expect(parse(text).password).toBeUndefined();
  });

  it.each([
    ['disable', false],
    ['require', true],
    ['verify-full', true],
  ])('sslmode=%s is %s', (mode, ssl) => {
    expect(parse(`postgres://me@db/app?sslmode=${mode}`).ssl).toBe(ssl);
    expect(parse('postgres://me@db/app').ssl).toBeUndefined();
  });
});

it('parameters that providers add are ignored', () => {
  const text = 'postgres://me@db/app?sslmode=require&channel_binding=require&application_name=a&options=b';
  expect(parse(text)).toMatchObject({
    ssl: true,
    ignored: ['channel_binding', 'application_name', 'options'],
  });
});

describe('is refused, and not repeated,', () => {
  it.each([
    ['', 'not a PostgreSQL URL'],
    ['http://secret@db/app', 'not a PostgreSQL URL'],
    ['postgres://one:1,two:2/secret', 'not a PostgreSQL URL with one host'],
    ['postgres://me@db:99999/secret', 'the port is not a whole number from 1 to 65535'],
    ['postgres://me@db:0/secret', 'the port is not a whole number'],
    ['postgres://me@d b/secret', 'not a PostgreSQL URL'],
    ['postgres://me@db/secret\n', 'not a PostgreSQL URL'],
    // Passwords with raw reserved characters, each of which would be cut somewhere else.
    ['postgres://me:1/secret@db/app', 'not a PostgreSQL URL'],
    ['postgres://me:1#secret@db/app', 'not a PostgreSQL URL'],
    ['postgres://me:1?secret@db/app', 'no field for the text after the question mark'],
    ['postgres://me:1?a&secret=1@db/app', 'no field for a'],
    ['postgres://me:%secret@db/app', 'the password is not percent-encoded'],
    ['postgres://me@db/%ff', 'the database is not percent-encoded'],
    ['postgres://me@db/app?sslmode=secret', 'sslmode must be one of disable'],
    ['postgres://me@db/app?sslmode=disable&sslmode=require', 'sslmode must be one of'],
    ['postgres://me@db/app?password=secret', 'the API has no field for password'],
    ['postgres://me@db/app?sslmode=require&sslcert=secret', 'no field for sslcert'],
  ])('%j', (text, message) => {
    const attempt = () => parse(text);
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow('secret');
  });
});
