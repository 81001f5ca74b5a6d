import { z } from '../contract/schema.js';

/** A JSON Schema, draft 2020-12: that of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema as JSON says it. @throws Error for what only code can check, which would be missing */
export function jsonSchemaOf(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _draft, ...described } = z.toJSONSchema(schema, {
    // Further fields of a request are ignored, and further ones may come in an answer.
    io: 'input',
    unrepresentable: 'throw',
    override: ({ jsonSchema }) => {
      // A format says what its pattern says, and an integer without bounds has none of the language's.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return described;
}

/** A schema with references in the place of the parts that have a name. */
export function withNames(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((part) => withNames(part, names));
  const name = names.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withNames(part, names)]));
}
