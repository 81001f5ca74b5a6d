import type { Kysely, Transaction } from 'kysely';
import { ConfigError } from '../errors/errors.js';
import type { Tables } from './database/tables.js';
import { transact } from './database/transact.js';
import type { Engine } from './engine/engine.js';
import { createResources } from './migrations/0001-resources.js';
import { createSecondCopies } from './migrations/0002-second-copies.js';
import { addShownSettings } from './migrations/0003-shown-settings.js';

export type Migration = (transaction: Transaction<Tables>, engine: Engine) => Promise<void>;

/** Oldest first. Only append: data of every earlier version may still exist. */
const migrations: readonly Migration[] = [createResources, createSecondCopies, addShownSettings];

/** Migrates the schema, all or nothing. @throws ConfigError for data of a newer version. */
export function migrate(
  database: Kysely<Tables>,
  engine: Engine,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  return transact(database, async (transaction) => {
    await engine.lockSchema(transaction);
    const version = await currentVersion(transaction);
    if (version > steps.length) throw newerData(version, steps.length);
    for (const step of steps.slice(version)) await step(transaction, engine);
    if (version < steps.length) {
      await transaction.deleteFrom('schema_version').execute();
      await transaction.insertInto('schema_version').values({ version: steps.length }).execute();
      await engine.schemaChanged?.(transaction);
    }
  });
}

async function currentVersion(transaction: Transaction<Tables>): Promise<number> {
  await transaction.schema
    .createTable('schema_version')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  const row = await transaction.selectFrom('schema_version').select('version').executeTakeFirst();
  return row?.version ?? 0;
}

function newerData(version: number, known: number): ConfigError {
  return new ConfigError(
    `the data has schema version ${version}, but this program supports versions up to ${known}`,
    { hint: 'use the newer orgctl that wrote it, or other data' },
  );
}
