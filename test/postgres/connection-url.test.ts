import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { readDatabaseUrl } from '../../src/storage/postgres/connection-url.js';

describe('a connection URI', () => {
  it.each([
    ['postgres://u:hunter2@127.0.0.1:5433/d', '127.0.0.1:5433/d', '?sslmode=disable&'],
    ['postgres:///d?host=/run/postgresql', '/run/postgresql/d', '&sslmode=disable&'],
    ['postgres://db/d', 'db/d', '?sslmode=require&'],
    ['postgres://db/d?sslmode=verify-full', 'db/d', 'verify-full&'],
  ])('%s names neither user nor password, and has TLS to other machines', (text, place, added) => {
    const { connectionString, ...url } = readDatabaseUrl(text);
    expect(url).toEqual({ place });
    expect(connectionString).toContain(`${added}uselibpqcompat=true`);
  });

  it.each([
    'hunter2',
    'mysql://u:hunter2@h/d',
    'postgres://u:hunter2/x@h/d',
    'postgres://u:hunter2?x@h/d',
    'postgres://u:hunter2#x@h/d',
    'postgres://u:hunter2@h:port/d',
    'postgres://u:hunter2@one,other/d',
    'postgres://u:hunter2@h:1,g:2/d',
    'postgres://u:hunter2%@h/d',
    'postgres://u:hunter2@h/d?connect_timeout=1',
    'postgres://u:x@h/d?password=hunter2',
    'postgres://u:x@h/d?hunter2=1',
    'postgres://u:hunter2@h/d?sslmode=allow',
  ])('%s is refused without repeating what may be a password', (text) => {
    const parse = () => readDatabaseUrl(text);
    expect(parse).toThrow(ConfigError);
    expect(parse).not.toThrow(/hunter2/);
  });
});
