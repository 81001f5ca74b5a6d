import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine, Work } from '../../src/storage/engine.js';
import { inMemory, openSqlite } from '../../src/storage/sqlite/engine.js';

let engine: Engine;

beforeEach(async () => {
  engine = await openSqlite(inMemory);
  await sql`create table numbers (number integer not null unique)`.execute(engine.database);
});

afterEach(() => engine.close());

function inserting(number: number): Work<number> {
  return async (transaction) => {
    await sql`insert into numbers values (${number})`.execute(transaction);
    return number;
  };
}

async function stored(): Promise<number[]> {
  const numbers = sql<{ number: number }>`select number from numbers order by number`;
  return (await numbers.execute(engine.database)).rows.map(({ number }) => number);
}

describe('writes that come at once', () => {
  it('do not spoil one another: what one throws undoes that one', async () => {
    const refused = new Error('refused');
    const throwing: Work<never> = async (transaction) => {
      await inserting(99)(transaction);
      throw refused;
    };
    const outcomes = await Promise.allSettled(
      [inserting(1), throwing, inserting(1), inserting(2)].map((work) => engine.write<number>(work)),
    );
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: refused },
      { status: 'rejected', reason: expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }) },
      { status: 'fulfilled', value: 2 },
    ]);
    expect(await stored()).toEqual([1, 2]);
  });

  it('are done only once they are committed: if that fails, all of them have failed', async () => {
    const late = sql`create table parts (whole integer references numbers (number) deferrable initially deferred)`;
    await late.execute(engine.database);
    const orphan: Work<unknown> = (transaction) => sql`insert into parts values (7)`.execute(transaction);
    const outcomes = await Promise.allSettled([engine.write(inserting(1)), engine.write(orphan)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await stored()).toEqual([]);
  });
});
