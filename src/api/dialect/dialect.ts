import { z } from '../schema/schema.js';
import type { DialectInput } from './dialect-input.js';
import { ownName } from './dialect-names.js';

/** A checked dialect, with all defaults filled in. */
export type Dialect = z.infer<typeof dialectSchema>;

/** Not inferred from the schema, so that programs need no zod to compile. */
export type { DialectInput };

export const dialectVersion = 1;

/** Excludes names that could reach an object's prototype. */
export const fieldNamePattern = /^(?!(?:__proto__|constructor|prototype)$)[A-Za-z_$][\w.$-]{0,63}$/;

const fieldNameSchema = z.string().check(z.regex(fieldNamePattern, 'must be the name of a field'));

const headerName = z
  .string()
  .check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header, at most 64 characters'));

export { ownName };

const holder = z.nullable(z.union([z.literal(ownName), fieldNameSchema]));

const pagings = ['page', 'cursor', 'after', 'link', 'next', 'none'] as const;

const errorForms = [
  'message',
  'messages',
  'error',
  'error.message',
  'detail',
  'problem',
  'errors',
  'text',
] as const;

const rateLimitForms = ['retry-after', 'ratelimit-reset', 'ratelimit', 'x-ratelimit-reset', 'none'] as const;

const listSchema = z.strictObject({
  items: z._default(holder, 'data'),
  meta: z._default(z.nullable(fieldNameSchema), null),
  paging: z._default(z.enum(pagings), 'page'),
  firstPage: z._default(z.union([z.literal(0), z.literal(1)]), 1),
  parameters: z.prefault(
    z.strictObject({
      limit: z._default(z.nullable(fieldNameSchema), 'limit'),
      page: z._default(z.nullable(fieldNameSchema), 'page'),
    }),
    {},
  ),
  fields: z.prefault(
    z.strictObject({
      total: z._default(z.nullable(fieldNameSchema), 'total'),
      page: z._default(z.nullable(fieldNameSchema), 'page'),
      limit: z._default(z.nullable(fieldNameSchema), 'limit'),
      pages: z._default(z.nullable(fieldNameSchema), 'pages'),
      next: z._default(z.nullable(fieldNameSchema), null),
      hasMore: z._default(z.nullable(fieldNameSchema), null),
    }),
    {},
  ),
  totalHeader: z._default(z.nullable(headerName), null),
  counts: z._default(z.enum(['number', 'text']), 'number'),
  limit: z.prefault(
    z.strictObject({
      default: z._default(z.int().check(z.minimum(1)), 20),
      max: z._default(z.int().check(z.minimum(1)), 100),
      beyond: z._default(z.enum(['cap', 'refuse']), 'refuse'),
    }),
    {},
  ),
});

const itemFormSchema = z.strictObject({
  in: z._default(holder, null),
  ids: z._default(z.enum(['text', 'number']), 'text'),
  case: z._default(z.enum(['snake', 'camel']), 'snake'),
  /** Maps our names to the service's, such as `secret: api_secret`; `case` applies only to names not listed here. */
  names: z._default(z.record(fieldNameSchema, fieldNameSchema), {}),
  /** The response to a creation: its status, and whether it has a body or only a `Location`. */
  created: z.prefault(
    z.strictObject({
      status: z._default(z.union([z.literal(200), z.literal(201), z.literal(202)]), 201),
      body: z._default(z.enum(['item', 'none']), 'item'),
    }),
    {},
  ),
  deleted: z._default(z.union([z.literal(200), z.literal(202), z.literal(204)]), 204),
});

const kindSchema = z.strictObject({
  missing: z.optional(z.union([z.literal(404), z.literal(405), z.literal(501)])),
  list: z.optional(listSchema),
  item: z.optional(itemFormSchema),
});

/** A dialect file. Refuses unknown fields, because a typo would silently select a default. */
export const dialectSchema = z.strictObject({
  dialect: z.literal(dialectVersion),
  /** Such as `/api/v1`, which clients include in their base URL. */
  basePath: z._default(z.string().check(z.regex(/^(?:\/[\w.~-]+)*$/, 'must be a path, such as /api/v1')), ''),
  signedBasePath: z._default(z.boolean(), true),
  list: z.prefault(listSchema, {}),
  item: z.prefault(itemFormSchema, {}),
  kinds: z._default(z.record(z.string(), kindSchema), {}),
  quotas: z.prefault(
    z.strictObject({
      /** `data[0]` of an envelope, the record itself, the record in `quotas`, or a list whose items have a `kind`. */
      form: z._default(z.enum(['data', 'bare', 'quotas', 'list']), 'data'),
      counts: z._default(z.enum(['number', 'text']), 'number'),
    }),
    {},
  ),
  headers: z.prefault(
    z.strictObject({
      case: z._default(z.enum(['as-documented', 'lower', 'upper']), 'as-documented'),
      rateLimit: z._default(z.enum(rateLimitForms), 'retry-after'),
    }),
    {},
  ),
  errors: z._default(z.enum(errorForms), 'message'),
}) satisfies z.ZodMiniType<unknown, DialectInput>;
