import type { IsDone } from './transact.js';

type Table = 'api_keys' | 'connections' | 'teams';

/** Whether a resource is there. Its ID is its own, so that no other write can have made it. */
export function isMade(table: Table, id: string): IsDone<unknown> {
  return async (database) => {
    const row = await database.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  };
}

/** Whether a resource is gone; whoever else deleted it, there is nothing left to do. */
export function isGone(table: Table, id: string): IsDone<unknown> {
  const isThere = isMade(table, id);
  return async (database, result) => !(await isThere(database, result));
}

/**
 * Whether a change is to be seen. Where it is not, it may have been made all the same: somebody else may have changed or
 * deleted the resource since.
 * @param isSeen is asked of a resource that was there to be changed
 */
export function isChanged<Resource>(
  isSeen: (...of: Parameters<IsDone<Resource>>) => Promise<boolean>,
): IsDone<Resource | undefined> {
  return async (database, resource) => {
    if (resource === undefined) return true;
    return (await isSeen(database, resource)) || undefined;
  };
}
