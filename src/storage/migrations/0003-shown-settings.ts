import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { Engine } from '../engine/engine.js';

/** Adds `shown`, so that a read need not open all settings. Later reads fill the column of existing rows. */
export async function addShownSettings(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
  await transaction.schema.alterTable('connections').addColumn('shown', engine.bytes).execute();
}
