import { expect, it } from 'vitest';
import { ample, useStores } from './support/open-store.js';

const stores = useStores();

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
