import { expect, it, onTestFinished, vi } from 'vitest';
import { advisoryLock } from '../../src/storage/postgres/advisory-lock.js';
import { useStores } from '../storage/support/open-store.js';
import { query } from '../support/databases.js';

const stores = useStores();

async function openWithHolder() {
  const place = await stores.place();
  const ofHolder = (columns: string) =>
    query(
      place,
      `select ${columns} from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and datname = current_database()
        and (classid::bigint << 32) + objid::bigint = ${advisoryLock.start}`,
    );
  return { store: await stores.open(place), ofHolder };
}

it('the start-up lock is never idle for a minute, after which the database would release it', async () => {
  const { store, ofHolder } = await openWithHolder();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await store.alone(async () => {
    const before = await ofHolder('state_change');
    vi.advanceTimersByTime(59_000);
    await expect.poll(() => ofHolder('state_change')).not.toEqual(before);
  });
  expect(vi.getTimerCount()).toBe(0);
});

it('work during which the start-up lock was lost fails', async () => {
  const { store, ofHolder } = await openWithHolder();
  const work = () => ofHolder('pg_terminate_backend(pid)');
  await expect(store.alone(work)).rejects.toThrow('the start-up lock was lost');
});
