import type { ResourceDeclaration } from '../api/resources/resource.js';
import { z } from '../api/schema/schema.js';
import { readMessage } from '../errors/errors.js';
import { parseJson, printJson } from '../text/exact-json.js';
import { type Engine, StoreBroken } from './engine.js';
import { additionalData, type KeyRing } from './key-ring.js';
import { type SealedColumn, sealedColumns } from './tables.js';

export interface StorageContext {
  readonly engine: Engine;
  readonly ring: KeyRing;
  /** The current time: ISO 8601 in UTC, as in the tables. */
  now(): string;
}

/** How a field of a resource is stored. */
export interface Column {
  readonly name: string;
  /** Text as is, booleans as 1 and 0, others as JSON. */
  readonly form: 'text' | 'boolean' | 'json';
  readonly isNullable: boolean;
  /** Seals the whole value, because any part of it may be secret. */
  readonly sealed: SealedColumn | undefined;
}

/** Only the response to a creation has a key's secret. */
export function columnsOf(resource: ResourceDeclaration): Column[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = (resource.created ?? resource.answer)().shape;
  const ofTable = Object.values(sealedColumns).filter(({ table }) => table === resource.table);
  return Object.entries(shape).map(([name, schema]) => {
    const isNullable = schema instanceof z.ZodMiniNullable;
    const own = isNullable ? schema.def.innerType : schema;
    const plain = own instanceof z.ZodMiniString ? 'text' : 'json';
    return {
      ...{ name, isNullable, form: own instanceof z.ZodMiniBoolean ? 'boolean' : plain },
      sealed: ofTable.find(({ column }) => column === name),
    };
  });
}

export function toStored(
  { form, sealed }: Column,
  value: unknown,
  { ring }: StorageContext,
  id: string,
): unknown {
  if (value === null) return null;
  const plain = form === 'text' ? value : form === 'boolean' ? Number(value) : printJson(value);
  return sealed ? ring.seal(String(plain), additionalData(sealed, id)) : plain;
}

/** @throws StoreBroken as `openSealed` */
export function fromStored(
  { form, sealed }: Column,
  stored: unknown,
  context: StorageContext,
  id: string,
): unknown {
  if (stored === null) return null;
  const plain = sealed ? openSealed(stored, sealed, context, id) : stored;
  if (form === 'boolean') return plain === 1;
  return form === 'text' ? plain : parseJson(String(plain));
}

/** @throws StoreBroken if the value is damaged, or its master key is not in the ring */
export function openSealed(
  value: unknown,
  column: SealedColumn,
  { engine, ring }: StorageContext,
  id: string,
): string {
  const data = additionalData(column, id);
  try {
    if (!(value instanceof Uint8Array)) throw new TypeError('it is not encrypted');
    return ring.open(value, data);
  } catch (cause) {
    throw new StoreBroken(engine.place, `${data} cannot be decrypted: ${readMessage(cause)}`, { cause });
  }
}
