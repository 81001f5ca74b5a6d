import type { ResourceDeclaration } from '../api/resources/resource.js';
import { z } from '../api/schema/schema.js';
import { parseJson, printJson } from '../text/exact-json.js';
import type { NamedFields, StoredResource, Storing } from './resources.js';

/** Stores each field in its column: text as is, other values as JSON, absent ones as null. */
export function plainly({
  answer,
}: Pick<ResourceDeclaration, 'answer'>): Storing<StoredResource, StoredResource, NamedFields> {
  const { shape } = answer();
  const isStamped = 'updated_at' in shape;
  const encoded = listFieldNames(shape, (schema) => !isTextSchema(schema));
  const optional = listFieldNames(shape, isOptional);
  const decode = ([name, value]: readonly [string, unknown]) => {
    if (value === null && optional.has(name)) return [];
    return [[name, typeof value === 'string' && encoded.has(name) ? parseJson(value) : value] as const];
  };
  return {
    create: (id, input, now) => ({ id, ...input, created_at: now, ...(isStamped && { updated_at: now }) }),
    toColumns: (field, value) => ({
      [field]: value !== undefined && encoded.has(field) ? printJson(value) : (value ?? null),
    }),
    fromRow(row) {
      if (encoded.size === 0 && optional.size === 0) return row;
      const { id, name, created_at } = row;
      return { ...Object.fromEntries(Object.entries(row).flatMap(decode)), id, name, created_at };
    },
  };
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function listFieldNames(shape: Shape, is: (schema: z.core.$ZodType) => boolean): ReadonlySet<string> {
  return new Set(Object.keys(shape).filter((name) => is(shape[name] ?? z.unknown())));
}

/** Whether a field may be missing or null. */
export function isAbsentable(schema: z.core.$ZodType): boolean {
  return isOptional(schema) || schema instanceof z.ZodMiniNullable;
}

function isOptional(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodMiniOptional;
}

function isTextSchema(schema: z.core.$ZodType): boolean {
  const isWrapped = schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable;
  return isWrapped ? isTextSchema(schema.def.innerType) : schema instanceof z.ZodMiniString;
}
