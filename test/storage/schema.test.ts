import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { resources } from '../../src/api/resources/index.js';
import { ConfigError } from '../../src/errors/errors.js';
import { ample, useStores } from './support/open-store.js';

const stores = useStores();

async function ask(place: string, query: string): Promise<unknown[]> {
  const engine = await stores.engine(place);
  return engine.database
    .executeQuery(CompiledQuery.raw(query))
    .then(({ rows }) => rows)
    .finally(() => engine.close());
}

it.each(resources)(
  'new data has a table of $kind with a column for each field of a response',
  async (resource) => {
    const place = await stores.place();
    await (await stores.open(place)).close();
    const fields = Object.keys(resource.answer().shape);
    expect(await ask(place, `select ${fields.join(', ')} from ${resource.table}`)).toEqual([]);
  },
);

it.each([1, 99])('data of schema version %i is refused and stays as it is', async (version) => {
  const place = await stores.place();
  const store = await stores.open(place);
  await store.organizations.createFirst('hers', ample, { name: 'first' });
  await store.close();
  await ask(place, `update schema_version set version = ${version}`);
  const query = 'select * from schema_version, organizations, api_keys';
  const before = await ask(place, query);
  const opened = stores.open(place);
  await expect(opened).rejects.toThrow(ConfigError);
  await expect(opened).rejects.toThrow(
    new RegExp(`was written by another version of orgctl \\(schema ${version}, not \\d+\\)`),
  );
  expect(before).toHaveLength(1);
  expect(await ask(place, query)).toEqual(before);
});
