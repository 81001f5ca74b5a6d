import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { Engine } from '../engine/engine.js';

/**
 * The settings of a connection that answers show, sealed apart from the rest, so that reading them takes neither opening
 * nor parsing all settings. Absent until a connection from before is read for the first time.
 */
export async function addShownSettings(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
  await transaction.schema.alterTable('connections').addColumn('shown', engine.bytes).execute();
}
