import type { ResourceTable } from '../../api/resources/index.js';
import { CommitUnconfirmed, OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import type { MasterKeyFence } from '../encryption/master-key-fence.js';
import type { CreateTogether, CreationOutcome, Creations } from '../engine/shared-creations.js';
import { QuotaExceeded } from '../reading/quotas.js';
import type { PooledConnection, PostgresConnections } from './connection.js';
import { type Inserted, insertWithRoom } from './insert-with-room.js';
import { beginTransaction, findOutcome } from './transaction.js';

/** Takes two round trips: the first gets the transaction ID; the second locks quotas, inserts rows and commits. */
export function createTogether(connections: PostgresConnections, fence: MasterKeyFence): CreateTogether {
  return async (creations, waits) => {
    const connection = await connections.take();
    try {
      await beginTransaction(connection);
      return await storeAndCommit({ connections, connection, fence }, creations, waits);
    } catch (error) {
      // The rollback fails if the connection is lost; the database then rolls back by itself.
      await connection.executeScript('rollback').catch(() => undefined);
      throw error;
    } finally {
      connection.release();
    }
  };
}

interface CreationPlace {
  readonly connections: PostgresConnections;
  readonly connection: PooledConnection;
  readonly fence: MasterKeyFence;
}

async function storeAndCommit(
  { connections, connection, fence }: CreationPlace,
  creations: Creations,
  waits: boolean,
): Promise<readonly CreationOutcome[]> {
  try {
    const statements = [insertWithRoom(creations, fence.check, waits), { sql: 'commit' }];
    const [result] = await connection.executeTogether<Inserted>(statements);
    const inserted = result?.rows ?? [];
    if (creations[0].seals) for (const { check } of inserted) fence.requireCheck(check ?? undefined);
    // A quota row that the insert waited for is missing only if all content was replaced.
    const gone = new StoreUnavailable(connections.place, 'the organization was deleted');
    return tellOutcomes(creations, inserted, waits ? gone : 'locked');
  } catch (error) {
    const { transactionId, isLost } = connection;
    if (!isLost || transactionId === undefined || !(error instanceof StoreUnavailable)) throw error;
    const outcome = await findOutcome(transactionId, error, connections);
    if (!(outcome instanceof CommitUnconfirmed)) throw outcome;
    return askDatabase(connections, creations, outcome);
  }
}

function tellOutcomes(
  creations: Creations,
  inserted: readonly Inserted[],
  absent: CreationOutcome,
): CreationOutcome[] {
  const left = new Map(inserted.map((quota) => [quota.organization_id, { ...quota, left: quota.made }]));
  return creations.map(({ organizationId, quota }) => {
    const found = left.get(organizationId);
    if (found === undefined) return absent;
    if (found.left-- > 0 || quota === undefined) return undefined;
    return new QuotaExceeded(quota, found.quota_limit, found.used + found.made);
  });
}

/** After a lost commit response, unique IDs show which rows were stored. @throws OutcomeUnknown if they cannot be read */
async function askDatabase(
  connections: PostgresConnections,
  creations: Creations,
  lost: CommitUnconfirmed,
): Promise<readonly CreationOutcome[]> {
  const ids = creations.map(({ row }) => row.id);
  const stored = await findStored(connections, creations[0].table, ids).catch(() => {
    throw new OutcomeUnknown(lost.place, lost);
  });
  return ids.map((id) => (stored.has(id) ? undefined : lost));
}

async function findStored(
  connections: PostgresConnections,
  table: ResourceTable,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const connection = await connections.take();
  try {
    const question = { sql: `select id from "${table}" where id = any($1)`, parameters: [ids] };
    const [found] = await connection.executeTogether([question]);
    return new Set(found?.rows.map(({ id }) => String(id)));
  } finally {
    connection.release();
  }
}
