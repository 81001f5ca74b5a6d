import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { ConfigError, readMessage } from '../errors/errors.js';
import type { Engine } from './engine.js';
import type { SealedColumn, Tables } from './tables.js';
import { readSetting, resourceTables, sealedColumns, writeSetting } from './tables.js';

export const masterKeyLength = 32;

const fingerprintLength = 8;
const nonceLength = 12;
const tagLength = 16;
const bodyStart = fingerprintLength + nonceLength + tagLength;

/** Seals values with the newest key (AES-256-GCM), and opens them with any. Sealed bytes: fingerprint, nonce, tag, text. */
export class KeyRing {
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #newest: Uint8Array;
  /** Of the newest key. */
  readonly fingerprint: string;

  constructor(newest: Uint8Array, ...older: readonly Uint8Array[]) {
    this.#newest = newest;
    this.fingerprint = toFingerprint(newest);
    this.#keys = new Map([newest, ...older].map((key) => [toFingerprint(key), key]));
  }

  get fingerprints(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** The additional data keeps a value from being moved to another row or column. */
  seal(text: string, additionalData: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#newest, nonce, { authTagLength: tagLength });
    cipher.setAAD(Buffer.from(additionalData));
    const body = cipher.update(text, 'utf8');
    // Only computes the tag: GCM has no final bytes.
    cipher.final();
    return Buffer.concat([Buffer.from(this.fingerprint, 'hex'), nonce, cipher.getAuthTag(), body]);
  }

  /** @throws Error if the value is damaged or the key, which the error names, is missing */
  open(sealed: Uint8Array, additionalData: string): string {
    const fingerprint = fingerprintOf(sealed);
    const key = this.#keys.get(fingerprint);
    if (key === undefined)
      throw new Error(`needs the master key ${fingerprint}, which is not in the key ring`);
    const nonce = sealed.subarray(fingerprintLength, fingerprintLength + nonceLength);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(additionalData));
    decipher.setAuthTag(sealed.subarray(fingerprintLength + nonceLength, bodyStart));
    return decipher.update(sealed.subarray(bodyStart), undefined, 'utf8') + decipher.final('utf8');
  }
}

export function fingerprintOf(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(0, fingerprintLength)).toString('hex');
}

/** Identifies a key without revealing it. */
export function toFingerprint(masterKey: Uint8Array): string {
  const hash = createHmac('sha256', masterKey).update('fingerprint of an orgctl master key');
  return hash.digest('hex').slice(0, 2 * fingerprintLength);
}

export function additionalData({ table, column }: SealedColumn, id: string): string {
  return `${table}.${column} ${id}`;
}

/** Reads the key ring; creates one only if `isNew`. @throws ConfigError if it is missing or unusable */
export type KeyRingSource = (isNew: boolean) => Promise<KeyRing>;

const checkData = 'settings.value master_key_check';

const keyHint =
  'put that key on a line of master.key in the data directory, mode 0600, or give it as the master key';

/** Checks the key ring: the first start seals a check value, which later starts open. @throws ConfigError */
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
    const [what, hint] = ring?.fingerprints.includes(fingerprint)
      ? ['its check value is damaged', 'restore an undamaged backup']
      : [`it ${readMessage(cause)}`, keyHint];
    throw new ConfigError(`the data cannot be decrypted: ${what}`, { hint, cause });
  }
}

function writeCheck(database: Kysely<Tables>, ring: KeyRing): Promise<void> {
  return writeSetting(database, 'master_key_check', ring.seal('', checkData).toString('base64'));
}

/** Encrypts all values with the newest key. After an interruption, the next run goes on. Counts what it changes. */
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
    .$castTo<{ readonly id: string; readonly sealed: Uint8Array }>();
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: { id: string; sealed: Uint8Array }[] = await query.where('id', '>', last).execute();
    yield rows.map(({ id, sealed }) => ({ id, sealed: new Uint8Array(sealed) }));
    last = rows.at(-1)?.id;
  }
}
