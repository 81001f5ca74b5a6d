import type { QueryResult } from 'pg';
import { QuotaExceeded } from '../quotas.js';
import type { SettingName } from '../settings.js';
import type { CreateTogether, Outcomes } from '../shared-creations.js';
import { CommitUnconfirmed, StoreUnavailable } from '../store-unavailable.js';
import type { Connections, PooledConnection, Query } from './connection.js';
import { insertWithRoom } from './insert-with-room.js';
import { beginTransaction, outcomeOf } from './transaction.js';

const checkName: SettingName = 'master_key_check';
const masterKeyCheck: Query = {
  sql: 'select value from settings where name = $1',
  parameters: [checkName],
  named: true,
};

/**
 * Stores resources of one organization and kind in a transaction of two messages. The first learns by what the
 * transaction can be asked after, and what the master key is recognized by. The second locks the quota, inserts what there
 * is room for, counts it and commits: the row is locked for no longer than the database works and writes, and never while
 * this process does. After a statement that failed, the commit behind it is a rollback.
 * @param requireUnchanged throws when what the master key is recognized by is not this server's
 */
export function createTogether(
  connections: Connections,
  requireUnchanged: (check: string | undefined) => void,
): CreateTogether {
  return async (creations) => {
    const connection = await connections.take();
    try {
      const { seals } = creations[0];
      const [check] = await beginTransaction(connection, { asking: seals ? [masterKeyCheck] : [] });
      if (seals) requireUnchanged(check?.rows[0]?.['value']);
      return await storeAndCommit(connections, connection, creations);
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
): Promise<Outcomes> {
  try {
    const results = await connection.executeTogether([...insertWithRoom(creations), { sql: 'commit' }]);
    return told(creations, results, connections.place);
  } catch (error) {
    const { transactionId, isLost } = connection;
    if (!isLost || transactionId === undefined || !(error instanceof StoreUnavailable)) throw error;
    const outcome = await outcomeOf(transactionId, error, connections);
    if (!(outcome instanceof CommitUnconfirmed)) throw outcome;
    return asked(connections, creations, outcome);
  }
}

/** By what the statements of `insertWithRoom` have answered. */
function told(creations: Group, [locked, inserted]: readonly QueryResult[], place: string): Outcomes {
  const [{ quota: kind }] = creations;
  if (kind === undefined) return creations.map(() => undefined);
  const quota = locked?.rows[0];
  // Other content has taken the place of all.
  if (quota === undefined) throw new StoreUnavailable(place, 'the organization is gone');
  const made = inserted?.rowCount ?? 0;
  const refusal = () => new QuotaExceeded(kind, quota['quota_limit'], quota['used'] + made);
  return creations.map((_, at) => (at < made ? undefined : refusal()));
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
