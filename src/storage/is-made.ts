import type { IsDone } from './transact.js';

/** Whether a resource is there. Its ID is its own, so that no other write can have made it. */
export function isMade(table: 'api_keys' | 'connections' | 'teams', id: string): IsDone {
  return async (database) => {
    const row = await database.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  };
}
