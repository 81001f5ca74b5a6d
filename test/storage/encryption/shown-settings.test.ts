import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWhole, type ListedConnection } from '../../../src/storage/connections.js';
import { resealDatabase } from '../../../src/storage/rotate-master-key.js';
import { openStore, type Store } from '../../../src/storage/store.js';
import { ample, useStores } from '../support/open-store.js';

const stores = useStores();
const first = Buffer.alloc(32, 1);
const page = { page: 1, limit: 100 };
const secret = 'hunter2';
let place: string;
let organization: string;
let id: string;
let store: Store | undefined;

async function open(masterKey = first): Promise<Store> {
  store = await openStore(await stores.engine(place), {
    clock: Date.now,
    masterKey: { key: async () => masterKey },
  });
  return store;
}

/** The store, opened again if it was closed. */
function reopened(): Promise<Store> {
  return store === undefined ? open() : Promise.resolve(store);
}

async function close(): Promise<void> {
  await store?.close();
  store = undefined;
}

async function readAlone({ resources: { connections } }: Store): Promise<unknown> {
  const one = await connections.findListed(organization, id);
  return one && !isWhole(one) ? connections.findLarge(organization, id) : one;
}

async function readInList({ resources: { connections } }: Store): Promise<unknown> {
  const [one]: readonly (ListedConnection | undefined)[] = await connections.listShown(organization, page);
  return one && !isWhole(one) ? connections.findLarge(organization, id) : one;
}

beforeEach(async () => {
  place = await stores.place();
  const { organizations } = await open();
  ({ organizationId: organization } = await organizations.createFirst('hers', ample, { name: 'first' }));
});

afterEach(close);

describe.each([
  ['small', 'x'],
  ['over 64 KiB', 'x'.repeat(70_000)],
])('what is harmless of settings that are %s', (_size, filler) => {
  const config = { host: 'db', port: 5432, filler, password: secret };
  const fields = { name: 'a', type: 'x', config: { host: 'db', port: 5432 } };
  const shown = expect.objectContaining(fields);

  beforeEach(async () => {
    const { resources } = await reopened();
    ({ id } = await resources.connections.create(organization, { name: 'a', type: 'x', config }));
  });

  it.each([
    ['alone', readAlone],
    ['in a list', readInList],
  ])('is read %s', async (_how, read) => {
    expect(await read(await reopened())).toEqual(shown);
  });

  it('is there after the master key was changed, and sealed with the new one', async () => {
    await close();
    const next = Buffer.alloc(32, 2);
    const engine = await stores.engine(place);
    await resealDatabase(engine, {
      begin: async () => ({ current: first, next }),
      end: async () => undefined,
    });
    for (const read of [readInList, readAlone]) {
      expect(await read(await open(next))).toEqual(shown);
      await close();
    }
  });

  it('is what a change made of it, and the whole keeps its secret', async () => {
    const { resources } = await reopened();
    const changed = { ...config, host: 'db2' };
    await resources.connections.update(organization, id, (current) => ({ ...current, config: changed }));
    await resources.connections.update(organization, id, (current) => ({ ...current, name: 'b' }));
    expect(await readAlone(await reopened())).toMatchObject({
      ...fields,
      name: 'b',
      config: { host: 'db2' },
    });
    expect(await resources.connections.find(organization, id)).toMatchObject({ config: changed });
  });
});
