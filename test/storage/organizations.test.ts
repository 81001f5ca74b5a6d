import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/storage/store.js';
import { StoreUnavailable } from '../../src/storage/store-unavailable.js';
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
  it('sees none of the resources of another, and changes none', async () => {
    const team = await store.resources.teams.create(hers, { name: 'a' });
    const connection = await store.resources.connections.create(hers, { name: 'a', type: 'x', config: {} });
    const key = await store.apiKeys.create(hers, { name: 'a' });
    expect(await store.apiKeys.list(his, page)).toHaveLength(1);
    for (const kind of [store.resources.teams, store.resources.connections])
      expect(await kind.list(his, page)).toEqual([]);
    for (const kind of [store.resources.teams, store.resources.connections, store.apiKeys]) {
      for (const { id } of [team, connection, key]) {
        expect(await kind.find(his, id)).toBeUndefined();
        expect(await kind.delete(his, id)).toBe(false);
      }
    }
    expect(
      await store.resources.teams.update(his, team.id, (team) => ({ ...team, name: 'b' })),
    ).toBeUndefined();
    expect(await store.apiKeys.update(his, key.id, (key) => ({ ...key, enabled: false }))).toBeUndefined();
    const changed = store.resources.connections.update(his, connection.id, (connection) => ({
      ...connection,
      name: 'b',
    }));
    expect(await changed).toBeUndefined();
    expect(await store.resources.teams.find(hers, team.id)).toEqual(team);
    expect(await store.resources.connections.find(hers, connection.id)).toEqual(connection);
    expect(await store.apiKeys.find(hers, key.id)).toMatchObject({ name: 'a', enabled: true });
  });

  it('uses up its own quotas', async () => {
    await expect(store.resources.teams.create(his, { name: 'a' })).rejects.toThrow(
      'no room for another of teams',
    );
    await store.resources.teams.create(hers, { name: 'a' });
    expect((await store.quotas.of(hers))['teams']).toMatchObject({ used: 1 });
    expect((await store.quotas.of(his))['teams']).toEqual({ limit: 0, used: 0, remaining: 0 });
    // What has no quota is counted.
    expect(await store.resources.teams.count(hers)).toBe(1);
    expect(await store.resources.teams.count(his)).toBe(0);
    await store.quotas.setLimits(his, { teams: 1 });
    expect((await store.quotas.of(hers))['teams']).toMatchObject({ limit: 1000 });
  });

  it('that does not exist has neither quotas nor resources', async () => {
    expect(await store.quotas.of('org_none')).toEqual({});
    expect(await store.resources.teams.list('org_none', page)).toEqual([]);
    await expect(store.resources.teams.create('org_none', { name: 'a' })).rejects.toThrow(StoreUnavailable);
  });
});
