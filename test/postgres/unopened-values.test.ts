import { expect, it } from 'vitest';
import { ample, useStores } from '../storage/support/open-store.js';
import { execute } from '../support/databases.js';

const stores = useStores();

it('a value that cannot be opened is named, with both of its possible causes', async () => {
  const place = await stores.place();
  const store = await stores.open(place);
  const { organizationId } = await store.organizations.createFirst('a', ample, { name: 'a' });
  const { connections } = store.resources;
  await connections.create(organizationId, { name: 'a', type: 'x', config: { a: 1 } });
  await execute(place, String.raw`update connections set config = '\x00'`);
  await expect(connections.list(organizationId, { page: 1, limit: 1 })).rejects.toThrow(
    /: connections\.config conn_\w+ is damaged, or the master key was rotated; if it was rotated, restart/,
  );
});
