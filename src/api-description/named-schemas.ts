import { errorAnswerSchema } from '../api/error-message.js';
import { quotaRecordSchema, quotaSchema } from '../api/quota.js';
import { type DeclaredResource, isPlainResource, resources } from '../api/resources/index.js';
import type { CallSource } from '../api/resources/resource.js';
import { z } from '../api/schema/schema.js';
import { exampleBodies, plainExamples } from './examples.js';
import { markSources, withSourcesFrom } from './sources.js';

type NamedSchema = readonly [name: string, schema: z.ZodMiniType, examples?: readonly unknown[] | undefined];

const shared: readonly NamedSchema[] = [
  ['Error', errorAnswerSchema],
  ['Quota', quotaSchema],
  ['QuotaRecord', quotaRecordSchema],
];

/** What a schema cannot say. */
const descriptions: Readonly<Record<string, string>> = {
  Connection:
    'config has only the settings that are known to hold no secret, such as host, port, database, user and ssl, whatever the type [ours].',
};

/** The schemas that have a name of their own, by it; parts that have one themselves are references. */
export function namedSchemas(): Readonly<Record<string, OpenApiSchema>> {
  const all = [...shared, ...resources.flatMap(listSchemas)];
  const names = namesFor(shared);
  return Object.fromEntries(
    all.map(([name, schema, given = exampleBodies[name]]) => {
      const parts = Object.entries(toJsonSchema(schema)).map(([key, part]) => [key, withNames(part, names)]);
      const sourced = markSources(name, Object.fromEntries(parts));
      const description = descriptions[name];
      return [
        name,
        {
          ...(description !== undefined && { description }),
          ...Object(sourced),
          ...(given !== undefined && { examples: given }),
        },
      ];
    }),
  );
}

/**
 * The schema of a part of a call, by the names of those of its resource: two of them may have the same fields.
 * @param source of the part
 */
export function schemaOfCall(
  schema: z.ZodMiniType,
  resource: DeclaredResource | undefined,
  source: CallSource,
): unknown {
  const named = resource === undefined ? shared : [...shared, ...listSchemas(resource)];
  return withSourcesFrom(source, withNames(toJsonSchema(schema), namesFor(named)));
}

function namesFor(named: readonly NamedSchema[]): ReadonlyMap<string, string> {
  return new Map(named.map(([name, schema]) => [JSON.stringify(toJsonSchema(schema)), name]));
}

function listSchemas(resource: DeclaredResource): NamedSchema[] {
  const name = typeName(resource.singular);
  const { item, input, patch } = isPlainResource(resource) ? plainExamples(resource) : {};
  return [
    [name, resource.answer(), item],
    ...('created' in resource ? [[`Created${name}`, resource.created()] as const] : []),
    [`${name}Input`, resource.input, input],
    ...('patch' in resource ? [[`${name}Patch`, resource.patch, patch] as const] : []),
  ];
}

/** `API key` is `ApiKey`. */
function typeName(singular: string): string {
  return singular
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
}

/** A JSON Schema, draft 2020-12: that of OpenAPI 3.1. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** A schema as JSON says it. @throws Error for what only code can check, which would be missing */
function toJsonSchema(schema: z.ZodMiniType): OpenApiSchema {
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
function withNames(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((part) => withNames(part, names));
  const name = names.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withNames(part, names)]));
}
