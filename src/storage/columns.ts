import type { ResourceDeclaration } from '../api/resources/resource.js';
import { z } from '../api/schema/schema.js';
import { readMessage } from '../errors/errors.js';
import { parseJson, printJson } from '../text/exact-json.js';
import { type Engine, StoreBroken } from './engine.js';
import { additionalData, type KeyRing } from './key-ring.js';
import { type SealedColumn, type StoredBytes, sealedColumns } from './tables.js';

export interface StorageContext {
  readonly engine: Engine;
  readonly ring: KeyRing;
  /** The current time: ISO 8601 in UTC, as in the tables. */
  now(): string;
}

/** Text as is, booleans as 1 and 0, others as JSON, absent ones as null. */
export interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'bytes';
  readonly isOptional: boolean;
  toStored(value: unknown, context: StorageContext, id: string): unknown;
  fromStored(stored: unknown, context: StorageContext, id: string): unknown;
}

/** Only the response to a creation has a key's secret. */
export function columnsOf(resource: ResourceDeclaration): Column[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = (resource.created ?? resource.answer)().shape;
  const ofTable = Object.values(sealedColumns).filter(({ table }) => table === resource.table);
  return Object.entries(shape).map(([name, schema]) => {
    const sealed = ofTable.find(({ column }) => column === name);
    const plain = plainColumn(name, schema);
    return sealed ? sealing(plain, sealed) : plain;
  });
}

function plainColumn(name: string, schema: z.core.$ZodType): Column {
  const isOptional = schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable;
  if (isOptional) {
    const inner = plainColumn(name, schema.def.innerType);
    const absent = schema instanceof z.ZodMiniOptional ? undefined : null;
    return {
      ...{ name, type: inner.type, isOptional },
      toStored: (value, ...rest) => (value == null ? null : inner.toStored(value, ...rest)),
      fromStored: (stored, ...rest) => (stored === null ? absent : inner.fromStored(stored, ...rest)),
    };
  }
  const column = { name, type: 'text', isOptional } as const;
  if (schema instanceof z.ZodMiniBoolean)
    return { ...column, type: 'integer', toStored: Number, fromStored: (stored) => stored === 1 };
  if (schema instanceof z.ZodMiniString)
    return { ...column, toStored: (value) => value, fromStored: (stored) => stored };
  return {
    ...column,
    toStored: (value) => printJson(value),
    fromStored: (stored) => parseJson(String(stored)),
  };
}

/** Seals a whole value, because any part of it may be secret. */
function sealing(plain: Column, sealed: SealedColumn): Column {
  return {
    ...{ name: plain.name, type: 'bytes', isOptional: plain.isOptional },
    toStored: (value, context, id) =>
      context.ring.seal(String(plain.toStored(value, context, id)), additionalData(sealed, id)),
    fromStored: (stored, context, id) =>
      stored instanceof Uint8Array || stored instanceof ArrayBuffer
        ? plain.fromStored(openSealed(stored, sealed, context, id), context, id)
        : undefined,
  };
}

/** @throws StoreBroken if the value is damaged, or its master key is not in the ring */
export function openSealed(
  value: StoredBytes,
  column: SealedColumn,
  { engine, ring }: StorageContext,
  id: string,
): string {
  const data = additionalData(column, id);
  try {
    return ring.open(new Uint8Array(value), data);
  } catch (cause) {
    throw new StoreBroken(engine.place, `${data} cannot be decrypted: ${readMessage(cause)}`, { cause });
  }
}
