import { beforeAll, describe, expect, it } from 'vitest';
import { at } from './support/caller.js';
import { useServer } from './support/start.js';

const context = useServer({ quotas: { teams: 200 } });

function get(target: string) {
  return context.caller.send('GET', target);
}

beforeAll(async () => {
  for (let index = 1; index <= 45; index += 1) {
    await context.caller.send('POST', '/teams', { body: { name: `team ${index}` } });
  }
});

function namesOf(json: unknown): string[] {
  const data = at(json, 'data');
  return Array.isArray(data) ? data.map((team) => String(at(team, 'name'))) : [];
}

describe('lists [ours]', () => {
  it('are envelopes, oldest first, 20 to a page', async () => {
    const { json } = await get('/teams');
    expect(json).toMatchObject({ total: 45, page: 1, limit: 20, pages: 3 });
    expect(namesOf(json)).toEqual(Array.from({ length: 20 }, (_, index) => `team ${index + 1}`));
  });

  it('have further pages, the last of them short, and nothing after it', async () => {
    const last = (await get('/teams?page=3')).json;
    expect(namesOf(last)).toEqual(['team 41', 'team 42', 'team 43', 'team 44', 'team 45']);
    expect((await get('/teams?page=4')).json).toEqual({ data: [], total: 45, page: 4, limit: 20, pages: 3 });
    expect((await get('/teams?page=1000000000000')).status).toBe(200);
  });

  it('take limits from 1 to 100', async () => {
    expect((await get('/teams?limit=1&page=45')).json).toMatchObject({ page: 45, limit: 1, pages: 45 });
    expect(namesOf((await get('/teams?limit=100')).json)).toHaveLength(45);
  });

  it('have one empty page when there is nothing', async () => {
    expect((await get('/connections')).json).toEqual({ data: [], total: 0, page: 1, limit: 20, pages: 1 });
  });

  it('pass over parameters that they do not know', async () => {
    expect((await get('/teams?sort=name&Limit=x&limit[]=5')).status).toBe(200);
  });

  it.each([
    ...['limit=0', 'limit=101', 'limit=-1', 'limit=1.0', 'limit=010', 'limit=', 'limit', 'limit=+5'],
    ...['limit=99999999999999999999', 'limit=5&limit=5', 'page=0', 'page=1&page=2', 'page=1000000000001'],
  ])('refuse %s', async (query) => {
    for (const kind of ['connections', 'api-keys', 'teams']) {
      expect((await get(`/${kind}?${query}`)).status).toBe(400);
    }
  });
});
