import { describe, expect, it } from 'vitest';
import type { RowCreation } from '../../../src/storage/database/context.js';
import { OutcomeUnknown, StoreUnavailable } from '../../../src/storage/database/store-unavailable.js';
import { type CreateTogether, SharedCreations } from '../../../src/storage/engine/shared-creations.js';

// How lanes form, on any machine: test/postgres/shared-commits.test.ts has the same with PostgreSQL's own locks.

/** A database of this test's own, whose quotas somebody else locks: what it was asked to store, and what it has. */
class Database {
  readonly asked: string[] = [];
  readonly stored: string[] = [];
  /** What it throws for an ID, and what it answers for one. */
  readonly failures = new Map<string, Error>();
  readonly refusals = new Map<string, Error>();
  readonly #locks = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>();

  lock(organizationId: string): void {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#locks.set(organizationId, { opened, open });
  }

  unlock(organizationId: string): void {
    this.#locks.get(organizationId)?.open();
    this.#locks.delete(organizationId);
  }

  readonly createTogether: CreateTogether = async (creations, waits) => {
    this.asked.push(`${waits ? 'wait for ' : ''}${creations.map(({ row }) => row.id).join(' ')}`);
    if (waits) await this.#locks.get(creations[0].organizationId)?.opened;
    for (const { row } of creations) {
      const failure = this.failures.get(row.id);
      if (failure !== undefined) throw failure;
    }
    return creations.map(({ organizationId, row }) => {
      if (this.#locks.has(organizationId)) return 'locked';
      const refusal = this.refusals.get(row.id);
      if (refusal === undefined) this.stored.push(row.id);
      return refusal;
    });
  };
}

function team(id: string, organizationId = 'org_a'): RowCreation {
  return { organizationId, quota: 'teams', table: 'teams', row: { id }, seals: false };
}

function start() {
  const database = new Database();
  const creations = new SharedCreations(database.createTogether);
  const runAll = (ids: readonly string[], organizationId?: string) =>
    Promise.allSettled(ids.map((id) => creations.run(team(id, organizationId))));
  return { database, creations, runAll };
}

const fulfilled = { status: 'fulfilled', value: undefined };

describe('what is created at once', () => {
  it('is stored together, in its order, whatever its organization; each table by itself', async () => {
    const { database, creations } = start();
    await Promise.all([
      creations.run(team('a')),
      creations.run({ ...team('key'), table: 'api_keys' }),
      creations.run(team('b', 'org_b')),
      creations.run(team('c')),
    ]);
    expect(database.asked).toEqual(['a b c', 'key']);
  });

  it('is each told its own outcome', async () => {
    const { database, runAll } = start();
    const refusal = new Error('no room');
    database.refusals.set('b', refusal);
    expect(await runAll(['a', 'b', 'c'])).toEqual([
      fulfilled,
      { status: 'rejected', reason: refusal },
      fulfilled,
    ]);
  });

  it('does without the one that the database fails at, which is tried down to that one alone', async () => {
    const { database, runAll } = start();
    const failure = new Error('there is one with this ID');
    database.failures.set('d', failure);
    const outcomes = await runAll(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(outcomes[3]).toEqual({ status: 'rejected', reason: failure });
    expect(database.asked).toEqual(['a b c d e f', 'a b c', 'd e f', 'd', 'e f']);
    expect(database.stored).toEqual(['a', 'b', 'c', 'e', 'f']);
  });

  it.each([
    new StoreUnavailable('there', 'it restarts'),
    new OutcomeUnknown('there', new Error('the connection is gone')),
  ])('all fails, and is not tried again, at an error that is about none of them: $name', async (failure) => {
    const { database, runAll } = start();
    database.failures.set('b', failure);
    expect(await runAll(['a', 'b'])).toEqual(Array(2).fill({ status: 'rejected', reason: failure }));
    expect(database.asked).toEqual(['a b']);
  });
});

describe('a quota that somebody else has locked', () => {
  it('is waited for by the creations of its organization alone, together', async () => {
    const { database, creations, runAll } = start();
    database.lock('org_a');
    const waiting = runAll(['a1', 'a2']);
    expect(await runAll(['b1'], 'org_b')).toEqual([fulfilled]);
    await expect.poll(() => database.asked).toEqual(['a1 a2 b1', 'wait for a1 a2']);
    // Those that come now do not even ask beside the others.
    const behind = runAll(['a3']);
    await creations.run(team('b2', 'org_b'));
    expect(database.stored).toEqual(['b1', 'b2']);
    database.unlock('org_a');
    expect(await Promise.all([waiting, behind])).toEqual([[fulfilled, fulfilled], [fulfilled]]);
    expect(database.asked.slice(2)).toEqual(['b2', 'wait for a3']);
    await creations.settled();
    await runAll(['a4']);
    expect(database.asked.at(-1)).toBe('a4');
  });

  it('is waited for in one table without those of another', async () => {
    const { database, creations, runAll } = start();
    database.lock('org_a');
    const waiting = runAll(['a']);
    await expect.poll(() => database.asked).toEqual(['a', 'wait for a']);
    const key = creations.run({ ...team('key'), table: 'api_keys' });
    await expect.poll(() => database.asked.slice(2)).toEqual(['key', 'wait for key']);
    database.unlock('org_a');
    await Promise.all([waiting, key]);
  });

  it('is waited for before all is settled', async () => {
    const { database, creations, runAll } = start();
    database.lock('org_a');
    void runAll(['a']);
    void runAll(['b'], 'org_b');
    const settled = creations.settled().then(() => [...database.stored]);
    await expect.poll(() => database.asked).toContain('wait for a');
    database.unlock('org_a');
    expect(await settled).toEqual(['b', 'a']);
  });
});
