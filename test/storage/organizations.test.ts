import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/storage/engine.js';
import type { Store } from '../../src/storage/store.js';
import { ample, useStores } from './support/open-store.js';

const stores = useStores();
const page = { page: 1, limit: 100 };
let store: Store;
let hers: string;
let his: string;

beforeEach(async () => {
  store = await stores.open();
  const first = await store.organizations.createFirst('hers', ample, { name: 'first' });
  hers = first.organizationId;
  // Whichever is made last counts as the first; they are alike in all else.
  const last = await store.organizations.createFirst('his', { ...ample, teams: 0 }, { name: 'first' });
  his = last.organizationId;
});

describe('an organization', () => {
  it('has its own quotas also where those of several are asked for at once, or listed', async () => {
    await store.resources.teams.create(hers, { name: 'a' });
    await store.quotas.setLimits(his, { teams: 7, connections: 5 });
    // So that they are read from the data, in one turn.
    const records = await Promise.all([hers, his, 'org_none', hers].map((id) => store.quotas.of(id)));
    const teams = [
      { limit: 1000, used: 1, remaining: 999 },
      { limit: 7, used: 0, remaining: 7 },
    ];
    expect(records.map((record) => record['teams'])).toEqual([teams[0], teams[1], undefined, teams[0]]);
    const listed = await store.organizations.list();
    expect(listed.map(({ id, quotas }) => [id, quotas['teams']])).toEqual([
      [hers, teams[0]],
      [his, teams[1]],
    ]);
    expect(listed[1]?.quotas['connections']).toMatchObject({ limit: 5 });
  });

  it('that is full is an error with the figures, for whoever answers and for whoever catches it', async () => {
    await expect(store.resources.teams.create(his, { name: 'a' })).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: 'no quota left for teams: 0 of 0 used',
      details: { status: 403, quota: { kind: 'teams', limit: 0, used: 0 } },
      kind: 'teams',
      limit: 0,
      used: 0,
    });
  });

  it('that does not exist has neither quotas nor resources', async () => {
    expect(await store.quotas.of('org_none')).toEqual({});
    expect(await store.resources.teams.list('org_none', page)).toEqual([]);
    await expect(store.resources.teams.create('org_none', { name: 'a' })).rejects.toThrow(StoreUnavailable);
  });
});

it('notes the uses of any number of keys, and passes over those that are gone', async () => {
  const store = await stores.open();
  const { organizationId } = await store.organizations.createFirst('first', ample, { name: 'first' });
  const ids = Array.from({ length: 250 }, (_, at) => `key_${at}`);
  await Promise.all(ids.map((id) => store.apiKeys.create(organizationId, { id, name: 'a' })));
  const usedAt = (at: number) => new Date(1_000_000_000_000 + at).toISOString();
  await store.apiKeys.noteUses(new Map([...ids, 'key_gone'].map((id, at) => [id, usedAt(at)])));
  const keys = await store.apiKeys.listOfAll();
  const noted = new Map(keys.map(({ id, last_used_at }) => [id, last_used_at]));
  expect(ids.map((id) => noted.get(id))).toEqual(ids.map((_, at) => usedAt(at)));
  expect(keys).toHaveLength(ids.length + 1);
});
