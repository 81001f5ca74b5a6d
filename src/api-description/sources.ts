import type { CallSource } from '../api/resources/resource.js';

const configFields = ['host', 'port', 'database', 'user', 'password', 'ssl'].map((name) => `config.${name}`);

/** Fields that the API reference shows, by schema; the source of all others is `ours`. */
const fieldsOfReference: Readonly<Record<string, readonly string[]>> = {
  Error: ['statusCode', 'message'],
  Quota: ['limit', 'used', 'remaining'],
  QuotaRecord: ['*'],
  ApiKey: ['id', 'enabled', 'last_used_at'],
  CreatedApiKey: ['id', 'enabled', 'last_used_at'],
  ConnectionInput: ['name', 'type', 'config', ...configFields],
};

/** Bounds that the API reference shows, by schema and field. */
const shownBounds: Readonly<Record<string, readonly string[]>> = {
  'ConnectionInput.type': ['enum'],
  'CreatedApiKey.secret': ['minLength', 'maxLength'],
};

/** Fields of an envelope; in `GET /quotas` their source is the API reference, in other lists `ours`. */
const envelopeFields = ['data', 'total', 'page', 'limit', 'pages'];

const bounds: ReadonlySet<string> = new Set([
  ...['const', 'default', 'enum', 'format', 'pattern'],
  ...['maximum', 'maxLength', 'minimum', 'minLength'],
]);

interface DescribedSchema {
  readonly name: string;
  readonly fields: readonly string[];
  readonly path: string;
  readonly source: CallSource;
}

/** Marks each field with its source, and each bound whose source differs from its field's. */
export function markSources(name: string, schema: unknown): unknown {
  return withSources(schema, { name, fields: fieldsOfReference[name] ?? [], path: '', source: 'ours' });
}

export function withSourcesFrom(source: CallSource, schema: unknown): unknown {
  return withSources(schema, { name: '', fields: source === 'ref' ? envelopeFields : [], path: '', source });
}

function withSources(schema: unknown, at: DescribedSchema): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [key, partWithSources(key, part, at)]);
  const others = Object.keys(schema)
    .filter((key) => bounds.has(key))
    .map((key) => [key, sourceOfBound(key, at)] as const)
    .filter(([, source]) => source !== at.source);
  return {
    ...Object.fromEntries(parts),
    ...(others.length > 0 && { 'x-source-of': Object.fromEntries(others) }),
  };
}

function partWithSources(key: string, part: unknown, at: DescribedSchema): unknown {
  if (key === 'anyOf' && Array.isArray(part)) return part.map((one) => withSources(one, at));
  if (key === 'items') return withSources(part, { ...at, path: `${at.path}[]` });
  if (typeof part !== 'object' || part === null || Object.keys(part).length === 0) return part;
  if (key === 'additionalProperties') return fieldWithSource('*', part, at);
  if (key !== 'properties') return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, field]) => [name, fieldWithSource(name, field, at)]),
  );
}

function fieldWithSource(name: string, field: unknown, at: DescribedSchema): unknown {
  const path = at.path === '' ? name : `${at.path}.${name}`;
  const source: CallSource = at.fields.includes(path) ? 'ref' : 'ours';
  return { ...Object(withSources(field, { ...at, path, source })), 'x-source': source };
}

function sourceOfBound(keyword: string, { name, path }: DescribedSchema): CallSource {
  return shownBounds[`${name}.${path}`]?.includes(keyword) ? 'ref' : 'ours';
}
