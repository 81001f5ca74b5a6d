import { quotaKinds } from '../resources/index.js';
import { z } from '../schema/schema.js';
import { ownName } from './dialect-input.js';

/** A checked dialect, with all defaults filled in. */
export type Dialect = z.infer<typeof dialectSchema>;

/** A dialect file, as the compiler knows it; programs give a `DialectInput`, which needs no zod to compile. */
export type DialectFile = z.input<typeof dialectSchema>;

export const dialectVersion = 1;

/** Excludes names that could reach an object's prototype. */
export const fieldNamePattern = /^(?!(?:__proto__|constructor|prototype)$)[A-Za-z_$][\w.$-]{0,63}$/;
const fieldName = z.string().check(z.regex(fieldNamePattern, 'must be the name of a field'));
export const headerNamePattern = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const headerName = z
  .string()
  .check(z.regex(headerNamePattern, 'must be the name of a header, at most 64 characters'));
const pathName = z.string().check(z.regex(/^(?:\/[\w.~-]+)*$/, 'must be a path, such as /api/v1'));

const kindName = z.string().check(z.regex(new RegExp(`^(?:${quotaKinds.join('|')})$`), 'unknown kind'));

// One row per setting: its place in the file, what it accepts, and its default.

const field = (standard: string | null) => z._default(z.nullable(fieldName), standard);
const holder = (standard: string | null) =>
  z._default(z.nullable(z.union([z.literal(ownName), fieldName])), standard);
const size = (standard: number) => z._default(z.int().check(z.minimum(1)), standard);
const choice = <const Value extends string | number>(standard: Value, ...others: Value[]) =>
  z._default(z.literal([standard, ...others]), standard);

const list = z.strictObject({
  items: holder('data'),
  meta: field(null),
  paging: choice('page', 'cursor', 'after', 'link', 'next', 'none'),
  firstPage: choice(1, 0),
  parameters: z.prefault(z.strictObject({ limit: field('limit'), page: field('page') }), {}),
  fields: z.prefault(
    z.strictObject({
      total: field('total'),
      page: field('page'),
      limit: field('limit'),
      pages: field('pages'),
      next: field(null),
      hasMore: field(null),
    }),
    {},
  ),
  totalHeader: z._default(z.nullable(headerName), null),
  counts: choice('number', 'text'),
  limit: z.prefault(
    z.strictObject({ default: size(20), max: size(100), beyond: choice('refuse', 'cap') }),
    {},
  ),
});

const item = z.strictObject({
  in: holder(null),
  ids: choice('text', 'number'),
  case: choice('snake', 'camel'),
  names: z._default(z.record(fieldName, fieldName), {}),
  created: z.prefault(z.strictObject({ status: choice(201, 200, 202), body: choice('item', 'none') }), {}),
  deleted: choice(204, 200, 202),
});

const kind = z.strictObject({
  missing: z.optional(z.literal([404, 405, 501])),
  list: z.optional(list),
  item: z.optional(item),
});

/** A dialect file. Refuses unknown fields, because a typo would silently select a default. */
export const dialectSchema = z.strictObject({
  dialect: z.literal(dialectVersion),
  basePath: z._default(pathName, ''),
  signedBasePath: z._default(z.boolean(), true),
  list: z.prefault(list, {}),
  item: z.prefault(item, {}),
  kinds: z._default(z.record(kindName, kind), {}),
  quotas: z.prefault(
    z.strictObject({ form: choice('data', 'bare', 'quotas', 'list'), counts: choice('number', 'text') }),
    {},
  ),
  headers: z.prefault(
    z.strictObject({
      case: choice('as-documented', 'lower', 'upper'),
      rateLimit: choice('retry-after', 'ratelimit-reset', 'ratelimit', 'x-ratelimit-reset', 'none'),
    }),
    {},
  ),
  errors: choice('message', 'messages', 'error', 'error.message', 'detail', 'problem', 'errors', 'text'),
});

export function dialectJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(dialectSchema, { io: 'input' });
  return {
    $schema,
    title: 'A dialect, as written by orgctl probe and used by orgctl serve --dialect',
    description:
      'Describes what a service chose where the API reference is silent. Omitted fields have the values of the preset "reference".',
    ...schema,
  };
}
