import { errorAnswerSchema } from '../api/error-message.js';
import { quotaRecordSchema, quotaSchema } from '../api/quota.js';
import { type DeclaredResource, isPlainResource, resources } from '../api/resources/index.js';
import type { CallSource } from '../api/resources/resource.js';
import { z } from '../api/schema/schema.js';
import { exampleBodies, plainExamples } from './examples.js';
import { markSources, withSourcesFrom } from './sources.js';

type NamedSchema = readonly [name: string, schema: z.ZodMiniType, examples?: readonly unknown[] | undefined];

const shared: readonly NamedSchema[] = [
  ['Error', errorAnswerSchema()],
  ['Quota', quotaSchema()],
  ['QuotaRecord', quotaRecordSchema()],
];

const descriptions: Readonly<Record<string, string>> = {
  Connection:
    'Whatever the type, config has only settings that are known not to be secret, such as host, port, database, user and ssl.',
};

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

/** A call's schema. Refers to no schema of another resource, even if it is equal. */
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

function typeName(singular: string): string {
  return singular
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
}

export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** @throws Error for types that JSON Schema cannot express */
function toJsonSchema(schema: z.ZodMiniType): OpenApiSchema {
  const { $schema: _draft, ...described } = z.toJSONSchema(schema, {
    // Unknown fields are ignored in requests, and allowed in responses.
    io: 'input',
    unrepresentable: 'throw',
    override: ({ jsonSchema }) => {
      // The format implies the pattern; JavaScript's integer limits are not the API's.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return described;
}

function withNames(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((part) => withNames(part, names));
  const name = names.get(JSON.stringify(schema));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withNames(part, names)]));
}
