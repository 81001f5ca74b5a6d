import { errorAnswerSchema } from '../contract/error-message.js';
import { quotaRecordSchema, quotaSchema } from '../contract/quota.js';
import { type DeclaredResource, resources } from '../contract/resources/index.js';
import type { z } from '../contract/schema.js';
import { examples } from './examples.js';
import { type JsonSchema, jsonSchemaOf, withNames } from './json-schema.js';

type Named = readonly [name: string, schema: z.ZodMiniType];

const shared: readonly Named[] = [
  ['Error', errorAnswerSchema],
  ['Quota', quotaSchema],
  ['QuotaRecord', quotaRecordSchema],
];

/** The schemas that have a name of their own, by it; parts that have one themselves are references. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  const all = [...shared, ...resources.flatMap(schemasOf)];
  const names = namesFor(shared);
  return Object.fromEntries(
    all.map(([name, schema]) => {
      const parts = Object.entries(jsonSchemaOf(schema)).map(([key, part]) => [key, withNames(part, names)]);
      const given = examples[name];
      return [name, { ...Object.fromEntries(parts), ...(given !== undefined && { examples: given }) }];
    }),
  );
}

/** The schema of a part of a call, by the names of those of its resource: two of them may have the same fields. */
export function schemaOfCall(schema: z.ZodMiniType, resource: DeclaredResource | undefined): unknown {
  const named = resource === undefined ? shared : [...shared, ...schemasOf(resource)];
  return withNames(jsonSchemaOf(schema), namesFor(named));
}

function namesFor(named: readonly Named[]): ReadonlyMap<string, string> {
  return new Map(named.map(([name, schema]) => [JSON.stringify(jsonSchemaOf(schema)), name]));
}

function schemasOf(resource: DeclaredResource): Named[] {
  const name = typeName(resource.singular);
  return [
    [name, resource.answer()],
    ...('created' in resource ? [[`Created${name}`, resource.created()] as const] : []),
    [`${name}Input`, resource.input],
    ...('patch' in resource ? [[`${name}Patch`, resource.patch] as const] : []),
  ];
}

/** `API key` is `ApiKey`. */
function typeName(singular: string): string {
  return singular
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
}
