import type { Kysely } from 'kysely';
import { reportDamage } from '../database/cipher.js';
import type { StorageContext } from '../database/context.js';
import type { Tables } from '../database/tables.js';
import { transact } from '../database/transact.js';
import { MasterKeyFence } from '../encryption/master-key-fence.js';
import type { Unlocked } from '../encryption/unlock.js';
import type { Engine } from '../engine/engine.js';
import { SharedCreations } from '../engine/shared-creations.js';
import { createWithin } from './creations.js';
import { GroupCommit } from './group-commit.js';
import { WriteProbe } from './write-probe.js';

interface Writing {
  readonly context: StorageContext;
  requireReady(): Promise<void>;
  settled(): Promise<void>;
}

interface Parts {
  readonly database: Kysely<Tables>;
  readonly engine: Engine;
  readonly unlocked: Unlocked;
  readonly now: () => string;
}

/** Pending writes share a commit. @param forget called with an organization whose quotas may have changed */
export function exclusiveWriting(
  { database, engine, unlocked, now }: Parts,
  forget: (organizationId: string) => void,
): Writing {
  const group = new GroupCommit(database, engine.commits);
  const probe = new WriteProbe((work) => group.run(work));
  const write: StorageContext['write'] = (organizationId, work) =>
    group.run(work).finally(() => organizationId !== undefined && forget(organizationId));
  return {
    context: {
      database,
      now,
      cipher: reportDamage(unlocked.cipher, engine.place),
      write,
      create: (creation) =>
        write(creation.quota && creation.organizationId, (transaction) =>
          createWithin(transaction, creation),
        ),
      writeAlone: (work) => group.run(work),
    },
    async requireReady() {
      engine.commits?.before();
      await probe.ask();
    },
    settled: () => group.settled(),
  };
}

/** For shared databases: creations share commits; every other write has its own. */
export function sharedWriting(
  { database, engine, unlocked, now }: Parts,
  createTogether: NonNullable<Engine['createTogether']>,
): Writing {
  const fence = new MasterKeyFence(unlocked, engine.place);
  const creations = new SharedCreations(createTogether(fence));
  return {
    context: {
      database,
      now,
      cipher: fence.telling(unlocked.cipher),
      write: (_organizationId, work, { isDone, seals = false } = {}) =>
        transact(database, seals ? fence.guard(work) : work, { isDone }),
      create: (creation) => creations.run(creation),
      writeAlone: (work, { isDone } = {}) => transact(database, fence.guard(work), { alone: true, isDone }),
    },
    requireReady: () => fence.requireUnchanged(database),
    settled: () => creations.settled(),
  };
}
