import { expect, it } from 'vitest';
import { ample, useStores } from './support/open-store.js';

const stores = useStores();

it('a key that is used while it is being disabled is disabled afterwards', async () => {
  const store = await stores.open();
  const { organizationId } = await store.organizations.createFirst('a', ample, { name: 'first' });
  const { apiKeys: keys } = store;
  const { id } = await keys.create(organizationId, { name: 'ci' });
  const disabling = keys.update(organizationId, id, (current) => ({ ...current, enabled: false }));
  expect(await keys.credential(id)).toMatchObject({ keyId: id });
  await disabling;
  expect(await keys.credential(id)).toMatchObject({ enabled: false });
});
