import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { organization } from './support/organization.js';
import { quotaAnswer, scriptedService } from './support/scripted-service.js';

const teams = Array.from({ length: 100 }, (_, at) => ({ id: `team_${at}`, name: `team-${at}` }));

/** A service whose list of teams is a full array with these headers, and says nothing else about its length. */
function fullArray(headers: Readonly<Record<string, string>> = {}) {
  return scriptedService({
    'GET /teams': () => httpAnswer(200, teams, headers),
    'GET /connections': () => httpAnswer(200, []),
    'GET /api-keys': () => httpAnswer(200, []),
    'GET /quotas': () => quotaAnswer(10),
  });
}

const file = organization({ teams: [{ name: 'new' }] });

describe('a list that is not proved whole', () => {
  it.each<[args: string[], stdin?: string]>([
    [['teams', 'get', 'team-1']],
    [['teams', 'update', 'team-1', '--name', 'other']],
    [['teams', 'delete', 'team-1', '--yes']],
    [['teams', 'create', '--name', 'team-1', '--skip-existing']],
    [['diff', '-'], file],
    [['apply', '-', '--yes'], file],
    [['export']],
  ])('is nothing to plan on: %j', async (args, stdin) => {
    const { env, peer } = await fullArray();
    const ended = await runCli([...args, '-o', 'json'], { env, ...(stdin !== undefined && { stdin }) });
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ message: expect.stringContaining('teams may be incomplete') });
    expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  // Every way in which pages lie: test/client/follow-pages.test.ts and foreign-lists.test.ts.
  it.each([
    ['an empty list, although 3 are in use', { data: [] }, 'reports 3 items, but 0 arrived'],
    ['0 pages with rows', { data: teams, page: 1, pages: 0 }, 'nothing says that the list ends there'],
    ['names elsewhere', { data: [{ id: 't', title: 'new' }], total: 1 }, 'cannot be read: { id: text, title'],
    ['no text as a name', { data: [{ id: 't', name: { en: 'a' } }], total: 1 }, 'the names cannot be read'],
    ['null for every name', { data: [{ id: 't', name: null }], total: 1 }, 'the names cannot be read'],
    [
      'no ID',
      { data: [{ name: 'a' }], total: 1 },
      'item 1 has no ID that a path can contain: { name: text }',
    ],
    ['null for an ID', { data: [{ id: null, name: 'a' }], total: 1 }, ': { id: null, name: text }'],
    ['no text for an ID', { data: [{ id: '', name: 'a' }], total: 1 }, ': { id: empty text, name: text }'],
    [
      'an object for an ID',
      { data: [{ id: { a: 1 } }], total: 1 },
      'item 1 has no ID that a path can contain: { id: { a: number } }',
    ],
    [
      'a fraction for an ID',
      { data: [...teams, { id: 1.5 }], total: 101 },
      'item 101 has no ID that a path can contain: { id: number }',
    ],
    [
      'a negative ID',
      { data: [{ id: -3, name: 'a' }], total: 1 },
      'item 1 has no ID that a path can contain: { id: number, name: text }',
    ],
    [
      'true for an ID',
      { data: [{ id: true, name: 'a' }], total: 1 },
      'has no ID that a path can contain: { id: boolean, name: text }',
    ],
    [
      'a path for an ID',
      { data: [...teams, { id: '..' }], total: 101 },
      'item 101 has no ID that a path can contain: { id: text }',
    ],
    [
      'an ID twice',
      { data: ['a', 'b'].map((name) => ({ id: 't', name })), total: 2 },
      'the ID t appears twice',
    ],
  ])('is nothing to plan on: %s', async (_what, list, why) => {
    const { env, peer } = await scriptedService({
      'GET /teams': () => httpAnswer(200, list),
      'GET /quotas': () => httpAnswer(200, { data: [{ teams: { limit: 9, used: 3, remaining: 6 } }] }),
    });
    const prune = ['apply', '-', '--yes', '--prune=all'];
    for (const args of [
      prune,
      ['teams', 'create', '--name', 'new', '--skip-existing'],
      ['teams', 'get', 'x'],
    ]) {
      const ended = await runCli(args, { env, stdin: file });
      expect([args, ended.code, ended.stderr]).toEqual([args, 10, expect.stringContaining(why)]);
    }
    expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
