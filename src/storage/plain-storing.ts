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
  const isEncoded = (name: string) => !isTextSchema(shape[name] ?? z.string());
  const isOptional = (name: string) => shape[name] instanceof z.ZodMiniOptional;
  return {
    create: (id, input, now) => ({ id, ...input, created_at: now, ...(isStamped && { updated_at: now }) }),
    toColumns: (fields) =>
      mapFields(fields, (name, value) =>
        value !== undefined && isEncoded(name) ? printJson(value) : (value ?? null),
      ),
    fromRow: (row) => ({
      ...row,
      ...mapFields(row, (name, value) => {
        if (value === null && isOptional(name)) return undefined;
        return typeof value === 'string' && isEncoded(name) ? parseJson(value) : value;
      }),
    }),
  };
}

function mapFields(fields: object, map: (name: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(name, value)]));
}

/** Whether a field may be missing or null. */
export function isAbsentable(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable;
}

function isTextSchema(schema: z.core.$ZodType): boolean {
  const isWrapped = schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable;
  return isWrapped ? isTextSchema(schema.def.innerType) : schema instanceof z.ZodMiniString;
}
