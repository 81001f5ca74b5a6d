import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutcomeUnknown, StoreBroken } from '../../../src/storage/database/store-unavailable.js';
import type { Tables } from '../../../src/storage/database/tables.js';
import type { Work } from '../../../src/storage/database/transact.js';
import { inMemory, openSqlite } from '../../../src/storage/sqlite/engine.js';
import { GroupCommit } from '../../../src/storage/writing/group-commit.js';

let statements: string[];
let database: Kysely<Tables>;
let group: GroupCommit;

beforeEach(async () => {
  const { dialect } = await openSqlite(inMemory);
  database = new Kysely<Tables>({ dialect, log: ({ query }) => void statements.push(query.sql) });
  statements = [];
  await sql`create table numbers (number integer not null unique)`.execute(database);
  group = new GroupCommit(database);
  statements = [];
});

afterEach(() => database.destroy());

function inserting(number: number): Work<number> {
  return async (transaction) => {
    await sql`insert into numbers values (${number})`.execute(transaction);
    return number;
  };
}

async function stored(): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`select number from numbers order by number`.execute(
    database,
  );
  return rows.map(({ number }) => number);
}

function count(statement: string): number {
  return statements.filter((text) => text === statement).length;
}

describe('writes that come at once', () => {
  it('share one commit, and each is told after it', async () => {
    const committedWhenTold: boolean[] = [];
    const numbers = Array.from({ length: 32 }, (_, index) => index);
    const results = numbers.map(async (number) => {
      const result = await group.run(inserting(number));
      committedWhenTold.push(statements.includes('commit'));
      return result;
    });
    expect(await Promise.all(results)).toEqual(numbers);
    expect(count('commit')).toBe(1);
    expect(committedWhenTold).toEqual(numbers.map(() => true));
    expect(await stored()).toEqual(numbers);
  });

  it('do not spoil one another: what one throws undoes that one', async () => {
    const refused = new Error('refused');
    const throwing: Work<never> = async (transaction) => {
      await inserting(99)(transaction);
      throw refused;
    };
    const outcomes = await Promise.allSettled(
      [inserting(1), throwing, inserting(1), inserting(2)].map((work) => group.run<number>(work)),
    );
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: refused },
      { status: 'rejected', reason: expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }) },
      { status: 'fulfilled', value: 2 },
    ]);
    expect(count('commit')).toBe(1);
    // Savepoints that stay would nest ever deeper.
    expect(count('release write_of_group')).toBe(count('savepoint write_of_group'));
    expect(await stored()).toEqual([1, 2]);
  });

  it('all fail, with the cause, when the database gives up their transaction', async () => {
    const failure = new Error('disk full');
    const givingUp: Work<never> = async (transaction) => {
      await sql`rollback`.execute(transaction);
      throw failure;
    };
    const outcomes = await Promise.allSettled([
      group.run(inserting(1)),
      group.run(givingUp),
      group.run(inserting(2)),
    ]);
    expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: failure })));
    expect(await stored()).toEqual([]);
    expect(await group.run(inserting(3))).toBe(3);
  });
});

it('settled waits for what is under way, and for what came meanwhile', async () => {
  const told: number[] = [];
  const tell = (number: number) => told.push(number);
  void group.run(inserting(1)).then((number) => {
    tell(number);
    return group.run(inserting(2)).then(tell);
  });
  await group.settled();
  expect(told).toEqual([1, 2]);
  expect(await stored()).toEqual([1, 2]);
});

describe('a commit to data that is not in its place any more', () => {
  const gone = new StoreBroken('there', 'it is gone');
  const failing = (at: 'before' | 'after') => {
    const watch = { before: () => undefined, after: () => undefined };
    return new GroupCommit(database, {
      ...watch,
      [at]: () => {
        throw gone;
      },
    });
  };

  it('is not begun when that is known before', async () => {
    const outcomes = await Promise.allSettled(
      [1, 2].map((number) => failing('before').run(inserting(number))),
    );
    expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: gone })));
    expect(await stored()).toEqual([]);
  });

  it('is neither acknowledged nor done twice when it is seen after it', async () => {
    const lost = failing('after');
    const outcomes = await Promise.allSettled([1, 2].map((number) => lost.run(inserting(number))));
    expect(outcomes).toEqual(
      outcomes.map(() => ({ status: 'rejected', reason: expect.any(OutcomeUnknown) })),
    );
    expect(count('commit')).toBe(1);
  });
});
