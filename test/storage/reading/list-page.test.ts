import { describe, expect, it } from 'vitest';
import { useStores } from '../support/open-store.js';

describe('the lists of a store', () => {
  const stores = useStores();
  const length = 2300;
  const named = (at: number) => `team ${at}`;

  it('have the rows of every page while rows are removed, and when all come back', async () => {
    const store = await stores.open();
    const { teams } = store.resources;
    const planned = (prefix: string) =>
      Array.from({ length }, (_, at) => ({ id: `team_${prefix}${at}`, name: named(at) }));
    const content = store.contents.compose(
      ['org_a', 'org_b'].map((id) => ({
        id,
        name: id,
        limits: {},
        resources: { 'api-keys': [], teams: planned(id) },
      })),
    );
    await store.contents.replace(content);
    let expected = planned('org_a').map(({ name }) => name);
    const page = async (number: number) =>
      (await teams.list('org_a', { page: number, limit: 100 })).map(({ name }) => name);
    expect(await page(22)).toEqual(expected.slice(2100, 2200));
    for (const at of [0, 1099, 2100, 2250]) {
      await teams.delete('org_a', `team_org_a${at}`);
      expected = expected.filter((name) => name !== named(at));
      expect(await page(22)).toEqual(expected.slice(2100, 2200));
      expect(await page(13)).toEqual(expected.slice(1200, 1300));
    }
    const before = expected.slice(2100, 2200);
    const [during] = await Promise.all([page(22), teams.delete('org_a', 'team_org_a5')]);
    const after = expected.filter((name) => name !== named(5)).slice(2100, 2200);
    expect([before, after]).toContainEqual(during);
    expect(await page(22)).toEqual(after);
    await store.contents.replace(content);
    expect(await page(22)).toEqual(
      planned('org_a')
        .map(({ name }) => name)
        .slice(2100, 2200),
    );
    expect(await page(25)).toEqual([]);
  });
});
