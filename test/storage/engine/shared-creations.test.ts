import { expect, it } from 'vitest';
import { type CreateTogether, SharedCreations } from '../../../src/storage/engine/shared-creations.js';

/** A database whose quotas of `org_a` another server has locked, until they are unlocked: what it was asked to store. */
function locked() {
  const asked: string[] = [];
  let unlock: () => void = () => undefined;
  const unlocked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  let isLocked = true;
  const createTogether: CreateTogether = async (creations, waits) => {
    asked.push(`${waits ? 'wait for ' : ''}${creations.map(({ row }) => row.id).join(' ')}`);
    if (waits) await unlocked;
    return creations.map(({ organizationId }) =>
      isLocked && organizationId === 'org_a' ? 'locked' : undefined,
    );
  };
  const creations = new SharedCreations(createTogether);
  return {
    asked,
    unlock() {
      isLocked = false;
      unlock();
    },
    run: (id: string, organizationId = 'org_a', table: 'teams' | 'api_keys' = 'teams') =>
      creations.run({ organizationId, quota: 'teams', table, row: { id }, seals: false }),
  };
}

// The rest is test/postgres/shared-commits.test.ts's: which lanes form depends on the moment there.
it('a locked quota is waited for by the creations of its organization and table alone, in their order', async () => {
  const { asked, unlock, run } = locked();
  const waiting = [run('a1'), run('a2')];
  await run('b1', 'org_b');
  await expect.poll(() => asked).toEqual(['a1 a2 b1', 'wait for a1 a2']);
  // One that comes now does not even ask beside the others, which it could overtake.
  waiting.push(run('a3'));
  await run('b2', 'org_b');
  waiting.push(run('key', 'org_a', 'api_keys'));
  await expect.poll(() => asked.slice(2)).toEqual(['b2', 'key', 'wait for key']);
  unlock();
  await Promise.all(waiting);
  expect(asked.slice(5)).toEqual(['wait for a3']);
});
