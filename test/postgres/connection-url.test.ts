import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { parseConnectionUrl } from '../../src/storage/postgres/connection-url.js';

const nothing = { port: undefined, database: undefined, user: undefined, password: undefined };

describe('a connection URI', () => {
  it.each([
    ['postgres://', { host: 'localhost', ...nothing }],
    ['postgresql://db', { host: 'db', ...nothing }],
    [
      'postgres://u:p%40%2F@db:5433/d%20d',
      { host: 'db', port: 5433, database: 'd d', user: 'u', password: 'p@/' },
    ],
    ['postgres://[::1]:1/d', { ...nothing, host: '::1', port: 1, database: 'd' }],
    [
      'postgres:///d?host=/run/postgresql&port=6',
      { ...nothing, host: '/run/postgresql', port: 6, database: 'd' },
    ],
    ['postgres://u@/d?host=db', { ...nothing, host: 'db', database: 'd', user: 'u' }],
    ['postgres://one:5/d?host=two&port=6', { ...nothing, host: 'two', port: 6, database: 'd' }],
    ['postgres://db/d?user=v', { ...nothing, host: 'db', database: 'd', user: 'v' }],
  ])('%s', (text, parts) => {
    expect(parseConnectionUrl(text)).toMatchObject(parts);
  });

  it('has a place that names neither user nor password', () => {
    expect(parseConnectionUrl('postgres://u:hunter2@db:5433/d').place).toBe('db:5433/d');
    expect(parseConnectionUrl('postgres:///d?host=/run/postgresql').place).toBe('/run/postgresql/d');
  });

  it.each([
    'hunter2',
    'mysql://u:hunter2@h/d',
    'postgres://u:hunter2/x@h/d',
    'postgres://u:hunter2?x@h/d',
    'postgres://u:hunter2#x@h/d',
    'postgres://u:hunter2@h:port/d',
    'postgres://u:hunter2@h:0/d',
    'postgres://u:hunter2@one,other/d',
    'postgres://u:hunter2@h:1,g:2/d',
    'postgres://u:hunter2%@h/d',
    'postgres://u:hunter2@h/d?connect_timeout=soon',
    'postgres://u:x@h/d?password=hunter2',
    'postgres://u:x@h/d?hunter2=1',
  ])('%s is refused without repeating what may be a password', (text) => {
    const parse = () => parseConnectionUrl(text);
    expect(parse).toThrow(ConfigError);
    expect(parse).not.toThrow(/hunter2/);
  });
});
