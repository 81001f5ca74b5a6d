import { describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../../src/commands/connections/database-url.js';
import { UsageError } from '../../../src/errors/errors.js';

const parse = (text: string) => parseDatabaseUrl(text, '--url');

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
