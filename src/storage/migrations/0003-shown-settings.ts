import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { Engine } from '../engine/engine.js';

/**
 * The settings that responses show, sealed separately to spare opening and parsing all settings. Added to older
 * connections when first read.
 */
export async function addShownSettings(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
  await transaction.schema.alterTable('connections').addColumn('shown', engine.bytes).execute();
}
