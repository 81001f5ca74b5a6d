import { expect, it, onTestFinished, vi } from 'vitest';
import { UsageRecorder } from '../../src/server/admission/usage-recorder.js';
import { ample, useStores } from '../storage/support/open-store.js';

const stores = useStores();

it('writes uses one flush after the other, and what failed with the next', async () => {
  const store = await stores.open();
  const { keyId } = await store.organizations.createFirst('first', ample, { name: 'first' });
  const errors: unknown[] = [];
  const writes: (readonly string[])[] = [];
  let underWay = 0;
  let isBroken = true;
  const apiKeys = {
    overlayUses: store.apiKeys.overlayUses.bind(store.apiKeys),
    async noteUses(uses: ReadonlyMap<string, string>) {
      underWay += 1;
      writes.push([...uses.keys(), `${underWay} under way`]);
      // A request and a flush that come while this one is under way.
      if (writes.length === 2) {
        recorder.record(keyId);
        void recorder.flush();
      }
      if (!isBroken) await store.apiKeys.noteUses(uses);
      underWay -= 1;
      if (isBroken) throw new Error('the disk is full');
    },
  };
  const time = () => 1_000_000_000_000;
  const recorder = new UsageRecorder(apiKeys, time, (error) => errors.push(error));
  recorder.record(keyId);
  await recorder.flush();
  expect(errors).toEqual([new Error('the disk is full')]);
  isBroken = false;
  recorder.record('key_other');
  await recorder.flush();
  await recorder.flush();
  expect(writes).toEqual([
    [keyId, '1 under way'],
    [keyId, 'key_other', '1 under way'],
  ]);
  const [key] = await store.apiKeys.listOfAll();
  expect(key?.last_used_at).toBe('2001-09-09T01:46:40.000Z');
});

it('keeps the later use of a key that is used while a write fails', async () => {
  let now = 1000;
  const written: (string | undefined)[] = [];
  const noteUses = async (uses: ReadonlyMap<string, string>) => {
    written.push(uses.get('key_a'));
    if (written.length > 1) return;
    now = 2000;
    recorder.record('key_a');
    throw new Error('the disk is full');
  };
  const apiKeys = { overlayUses: () => undefined, noteUses };
  const recorder = new UsageRecorder(
    apiKeys,
    () => now,
    () => undefined,
  );
  recorder.record('key_a');
  await recorder.flush();
  await recorder.flush();
  expect(written).toEqual(['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:02.000Z']);
});

it('writes a use a second later, without being told to', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const noteUses = async (uses: ReadonlyMap<string, string>) => void written.push(...uses.keys());
  const apiKeys = { overlayUses: () => undefined, noteUses };
  const recorder = new UsageRecorder(apiKeys, Date.now, () => undefined);
  for (const key of ['key_a', 'key_b']) recorder.record(key);
  await vi.advanceTimersByTimeAsync(999);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toEqual(['key_a', 'key_b']);
});
