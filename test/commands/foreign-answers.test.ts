import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { errorOf, runCli } from '../support/run-cli.js';

describe('a single answer', () => {
  const team = { id: 'team_1', name: 'app' };

  it.each([
    ['--even-mine', /-- --even-mine$/],
    ['a/b?c d', / 'a\/b\?c d'$/],
  ])('names the ID %j so that the command can be pasted', async (id, pasted) => {
    const { env } = await foreignService({
      list: () => ({ body: [{ ...team, id }] }),
      change: () => ({ status: 503 }),
      get: () => ({ body: { ...team, id } }),
    });
    const line = ['teams', 'delete', '--yes', '--retries', '0', '-o', 'json', '--', id];
    const { hint, next } = errorOf(await runCli(line, { env }));
    expect(hint).toMatch(pasted);
    const words = Array.isArray(next) ? next.slice(1).map(String) : [];
    expect(words.slice(0, 2)).toEqual(['teams', 'get']);
    expect(await runCli(words, { env })).toMatchObject({ code: 0 });
  });
});

describe('a filter of API keys', () => {
  const readable = [
    { id: 'key_1', enabled: false, last_used_at: '2020-01-01T00:00:00Z' },
    { id: 'key_2', enabled: true, last_used_at: '2099-01-01T00:00:00Z' },
    ...['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'].map((never, at) => ({
      ...{ id: `key_new${at}`, enabled: true, created_at: '2099-01-01T00:00:00Z', last_used_at: never },
    })),
  ];

  it.each([
    undefined,
    { id: 'key_3', status: 'suspended' },
    { id: 'key_3', enabled: 0, last_used_at: 20_261_101 },
    { id: 'key_3', created_at: '2020-01-01T00:00:00Z', lastSeen: '2026-01-01T00:00:00Z' },
  ])('says which keys it could not judge: %j', async (odd) => {
    const data = odd === undefined ? readable : [...readable, odd];
    for (const filter of [['--disabled'], ['--unused-for', '90d']]) {
      const { env } = await foreignService({ list: () => ({ body: { data, total: data.length } }) });
      const ended = await runCli(['api-keys', 'list', ...filter, '-o', 'json'], { env });
      expect([ended.code, JSON.parse(ended.stdout)]).toEqual([odd === undefined ? 0 : 10, [readable[0]]]);
      expect(ended.stderr.includes('API keys not shown: 1')).toBe(odd !== undefined);
    }
  });
});
