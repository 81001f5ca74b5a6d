import type { MasterKeyFence } from '../master-key-fence.js';
import { QuotaExceeded } from '../quotas.js';
import type { CreateTogether, Outcomes } from '../shared-creations.js';
import { CommitUnconfirmed, StoreUnavailable } from '../store-unavailable.js';
import type { Connections, PooledConnection } from './connection.js';
import { type Inserted, insertWithRoom } from './insert-with-room.js';
import { beginTransaction, outcomeOf } from './transaction.js';

/**
 * Stores resources of one organization and kind in a transaction of two messages. The first learns by what the transaction
 * can be asked after. The second locks the quota, inserts what there is room for, counts it and commits: the row is locked
 * for no longer than the database works and writes, and never while this process does. After a statement that failed, the
 * commit behind it is a rollback.
 */
export function createTogether(connections: Connections, fence: MasterKeyFence): CreateTogether {
  return async (creations) => {
    const connection = await connections.take();
    try {
      await beginTransaction(connection);
      return await storeAndCommit(connections, connection, creations, fence);
    } catch (error) {
      // One that is over already, or whose connection is gone, has nothing to undo.
      await connection.executeScript('rollback').catch(() => undefined);
      throw error;
    } finally {
      connection.release();
    }
  };
}

type Group = Parameters<CreateTogether>[0];

async function storeAndCommit(
  connections: Connections,
  connection: PooledConnection,
  creations: Group,
  fence: MasterKeyFence,
): Promise<Outcomes> {
  try {
    const statements = [insertWithRoom(creations, fence.check), { sql: 'commit' }];
    const [result] = await connection.executeTogether<Inserted>(statements);
    // Other content has taken the place of all.
    const [inserted] = result?.rows ?? [];
    if (inserted === undefined) throw new StoreUnavailable(connections.place, 'the organization is gone');
    if (creations[0].seals) fence.requireCheck(inserted.check ?? undefined);
    return told(creations, inserted);
  } catch (error) {
    const { transactionId, isLost } = connection;
    if (!isLost || transactionId === undefined || !(error instanceof StoreUnavailable)) throw error;
    const outcome = await outcomeOf(transactionId, error, connections);
    if (!(outcome instanceof CommitUnconfirmed)) throw outcome;
    return asked(connections, creations, outcome);
  }
}

/** By what the statement has answered. */
function told(creations: Group, { quota_limit: limit, used, made }: Inserted): Outcomes {
  return creations.map(({ quota }, at) =>
    at < made || quota === undefined ? undefined : new QuotaExceeded(quota, limit, used + made),
  );
}

/** By what the data has of them, since the answer to the commit was lost. Their IDs are their own. */
async function asked(connections: Connections, creations: Group, lost: CommitUnconfirmed): Promise<Outcomes> {
  const connection = await connections.take();
  try {
    const ids = creations.map(({ row }) => row.id);
    const question = { sql: `select id from "${creations[0].table}" where id = any($1)`, parameters: [ids] };
    const [found] = await connection.executeTogether([question]);
    const stored = new Set(found?.rows.map(({ id }) => String(id)));
    return ids.map((id) => (stored.has(id) ? undefined : lost));
  } finally {
    connection.release();
  }
}
