import { createHash } from 'node:crypto';
import { CompiledQuery, type Transaction } from 'kysely';
import { z } from '../../api/schema/schema.js';
import { writeSetting } from '../database/settings.js';
import type { Tables } from '../database/tables.js';

export const digestName = 'schema_digest';

export const schemaText = `select cast(group_concat(type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, ''), char(10)) as blob)
  as bytes from (select * from sqlite_schema where name not like 'sqlite\\_%' escape '\\' order by name)`;

export function digestSchema(schema: Uint8Array): string {
  return createHash('sha256').update(schema).digest('hex');
}

const rowSchema = z.object({ bytes: z.union([z.instanceof(ArrayBuffer), z.instanceof(Uint8Array)]) });

/** Stores the digest of a new schema, because a damaged byte in the schema could change what queries mean. */
export async function rememberSchema(transaction: Transaction<Tables>): Promise<void> {
  const { rows } = await transaction.executeQuery(CompiledQuery.raw(schemaText));
  const { bytes } = rowSchema.parse(rows[0]);
  await writeSetting(transaction, digestName, digestSchema(new Uint8Array(bytes)));
}
