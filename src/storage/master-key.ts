import type { Kysely } from 'kysely';
import { ConfigError, readMessage } from '../errors/errors.js';
import type { Engine } from './engine.js';
import { additionalData, fingerprintOf, type KeyRing } from './key-ring.js';
import type { SealedColumn, StoredBytes, Tables } from './tables.js';
import { readSetting, resourceTables, sealedColumns, writeSetting } from './tables.js';

/** Reads the key ring; `isNew` allows to make a first key. @throws ConfigError if it is missing or unusable */
export type KeyRingSource = (isNew: boolean) => Promise<KeyRing>;

const checkData = 'settings.value master_key_check';

/** The first start seals a check value; later starts open it. @throws ConfigError */
export async function unlock(engine: Engine, source: KeyRingSource): Promise<KeyRing> {
  const isNew = (await readSetting(engine.database, 'master_key_check')) === undefined;
  const ring = await source(isNew);
  if (isNew) await engine.write((transaction) => writeCheck(transaction, ring));
  else await checkRing(engine.database, ring);
  return ring;
}

/** The fingerprint of the check value's key; `undefined` if there is no data. @throws ConfigError as `unlock` */
export async function checkRing(
  database: Kysely<Tables>,
  ring: KeyRing | undefined,
): Promise<string | undefined> {
  const check = await readSetting(database, 'master_key_check');
  if (check === undefined) return undefined;
  const sealed = Buffer.from(check, 'base64');
  const fingerprint = fingerprintOf(sealed);
  try {
    if (ring === undefined) throw new Error(`needs the master key ${fingerprint}, which is missing`);
    ring.open(sealed, checkData);
    return fingerprint;
  } catch (cause) {
    throw new ConfigError(`the data cannot be decrypted: it ${readMessage(cause)}`, {
      hint: 'put that key on a line of master.key in the data directory, mode 0600, or give it as the master key',
      cause,
    });
  }
}

function writeCheck(database: Kysely<Tables>, ring: KeyRing): Promise<void> {
  return writeSetting(database, 'master_key_check', ring.seal('', checkData).toString('base64'));
}

/** Encrypts all values with the newest key. After an interruption, the next run goes on. @returns how many it changed */
export async function resealAll(engine: Engine, ring: KeyRing) {
  const rotation = {
    apiKeys: await resealColumn(engine, ring, sealedColumns.apiKeys),
    connections: await resealColumn(engine, ring, sealedColumns.connections),
  };
  await engine.write((transaction) => writeCheck(transaction, ring));
  return rotation;
}

async function resealColumn(engine: Engine, ring: KeyRing, column: SealedColumn): Promise<number> {
  let count = 0;
  for await (const values of sealedValues(engine.database, column)) {
    const outdated = values.filter(({ sealed }) => fingerprintOf(sealed) !== ring.fingerprint);
    await engine.write(async (transaction) => {
      for (const { id, sealed } of outdated) {
        const data = additionalData(column, id);
        const anew = { [column.column]: ring.seal(ring.open(sealed, data), data) };
        const row = resourceTables(transaction).updateTable(column.table).where('id', '=', id);
        // A server may have changed the value meanwhile.
        await row.where(column.column, '=', sealed).set(anew).execute();
      }
    });
    count += outdated.length;
  }
  return count;
}

const rowsReadAtOnce = 100;

export async function* sealedValues(
  database: Kysely<Tables>,
  { table, column }: SealedColumn,
): AsyncGenerator<readonly { readonly id: string; readonly sealed: Uint8Array }[]> {
  const query = resourceTables(database)
    .selectFrom(table)
    .select(['id', `${column} as sealed`])
    .orderBy('id')
    .limit(rowsReadAtOnce)
    .$castTo<{ readonly id: string; readonly sealed: StoredBytes }>();
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: { id: string; sealed: StoredBytes }[] = await query.where('id', '>', last).execute();
    yield rows.map(({ id, sealed }) => ({ id, sealed: new Uint8Array(sealed) }));
    last = rows.at(-1)?.id;
  }
}
