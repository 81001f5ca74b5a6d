import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListPlaces, type Reading } from '../../../src/storage/database/list-places.js';
import { useStores } from '../support/open-store.js';

/** A list in memory, and how many rows of it each reading passed over. */
function listOf(length: number) {
  let rows = Array.from({ length }, (_, index) => index * 2 + 1);
  const passed: number[] = [];
  const from = (sequence: number, passedOver: number) => {
    passed.push(passedOver);
    return rows.filter((row) => row >= sequence).slice(passedOver);
  };
  const reading: Reading<number> = {
    rows: (sequence, passedOver) => Promise.resolve(from(sequence, passedOver).slice(0, 100)),
    sequence: (sequence, passedOver) => Promise.resolve(from(sequence, passedOver)[0]),
  };
  return {
    reading,
    passed,
    expected: (offset: number) => rows.slice(offset, offset + 100),
    at: (index: number) => rows[index % rows.length] ?? 0,
    remove: (sequence: number) => {
      rows = rows.filter((row) => row !== sequence);
    },
  };
}

describe('a page far into a list', () => {
  it('is counted off once, and found by its place from then on', async () => {
    const [places, list] = [new ListPlaces(), listOf(10_000)];
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await places.page('a', 5000, list.reading)).toEqual(list.expected(5000));
    }
    expect(list.passed).toEqual([5000, 0, 0]);
    await places.page('a', 5900, list.reading);
    expect(list.passed.at(-1)).toBe(900);
  });

  it('is the right one whatever was removed before it, of its list or of another', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ offset: fc.nat(5000), removed: fc.nat(5000), list: fc.constantFrom('a', 'b') })),
        async (steps) => {
          const places = new ListPlaces();
          const lists = { a: listOf(5000), b: listOf(5000) };
          for (const { offset, removed, list: name } of steps) {
            const list = name === 'a' ? lists.a : lists.b;
            const sequence = list.at(removed);
            await places.removing(name, (tell) => {
              tell(sequence);
              list.remove(sequence);
              return Promise.resolve();
            });
            for (const [other, rows] of Object.entries(lists)) {
              expect(await places.page(other, offset, rows.reading)).toEqual(rows.expected(offset));
            }
          }
        },
      ),
      { numRuns: 30 },
    ));

  it('is counted off from the start while rows are being removed', async () => {
    const [places, list] = [new ListPlaces(), listOf(10_000)];
    await places.page('a', 5000, list.reading);
    let end: () => void = () => undefined;
    const removing = places.removing('a', async (tell) => {
      tell(list.at(0));
      list.remove(list.at(0));
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    expect(await places.page('a', 5000, list.reading)).toEqual(list.expected(5000));
    expect(list.passed.at(-1)).toBe(5000);
    end();
    await removing;
    expect(await places.page('a', 5000, list.reading)).toEqual(list.expected(5000));
  });

  it('is read again when a row was removed while it was read', async () => {
    const [places, list] = [new ListPlaces(), listOf(10_000)];
    await places.page('a', 5000, list.reading);
    const reading: Reading<number> = {
      ...list.reading,
      async rows(from, passedOver) {
        if (passedOver !== 5000) {
          await places.removing('a', (tell) => {
            tell(list.at(0));
            list.remove(list.at(0));
            return Promise.resolve();
          });
        }
        return list.reading.rows(from, passedOver);
      },
    };
    expect(await places.page('a', 5000, reading)).toEqual(list.expected(5000));
  });

  it('is counted off again when nobody knows what was removed, or all was replaced', async () => {
    const [places, list] = [new ListPlaces(), listOf(10_000)];
    await places.page('a', 5000, list.reading);
    await expect(places.removing('a', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    await places.page('a', 5000, list.reading);
    expect(list.passed.slice(-2)).toEqual([5000, 0]);
    await places.replacing(() => Promise.resolve());
    await places.page('a', 5000, list.reading);
    expect(list.passed.slice(-2)).toEqual([5000, 0]);
  });
});

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
