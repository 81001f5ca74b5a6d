import { z } from '../schema/schema.js';
import type { DialectInput } from './dialect-input.js';
import { ownName } from './dialect-names.js';

/**
 * What a service chose where the reference shows nothing [ours]: the forms of its answers, as data. `orgctl probe` writes
 * it, a profile may pin it, and `orgctl serve --dialect` answers by it. What a dialect leaves out is as in `reference`.
 */
export type Dialect = z.infer<typeof dialectSchema>;

/** A dialect as a file has it, written out so that programs need no zod to compile. */
export type { DialectInput };

/** The version of the form, the value of `dialect`. */
export const dialectVersion = 1;

/** The name of a field or of a parameter; never one that an object has of itself. */
export const fieldNamePattern = /^(?!(?:__proto__|constructor|prototype)$)[A-Za-z_$][\w.$-]{0,63}$/;

const fieldNameSchema = z.string().check(z.regex(fieldNamePattern, 'must be the name of a field'));

const headerName = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header'));

export { ownName };

const holder = z.nullable(z.union([z.literal(ownName), fieldNameSchema]));

/** The ways from one page of a list to the next. */
export const pagings = ['page', 'cursor', 'after', 'link', 'next', 'none'] as const;

/** The forms of an error's body. */
export const errorForms = [
  'message',
  'messages',
  'error',
  'error.message',
  'detail',
  'problem',
  'errors',
  'text',
] as const;

/** Where an answer says how long to wait. */
export const rateLimitForms = [
  'retry-after',
  'ratelimit-reset',
  'ratelimit',
  'x-ratelimit-reset',
  'none',
] as const;

const listSchema = z.strictObject({
  /** The field that has the items; `null`: the body is a bare array. */
  items: z._default(holder, 'data'),
  /** The field that has total and pages; `null`: they stand beside the items. */
  meta: z._default(z.nullable(fieldNameSchema), null),
  paging: z._default(z.enum(pagings), 'page'),
  /** The number of the first page. */
  firstPage: z._default(z.union([z.literal(0), z.literal(1)]), 1),
  /** The parameters of a request; `null`: there is none. `page` is the page's number, the cursor, or the last ID. */
  parameters: z.prefault(
    z.strictObject({
      limit: z._default(z.nullable(fieldNameSchema), 'limit'),
      page: z._default(z.nullable(fieldNameSchema), 'page'),
    }),
    {},
  ),
  /** The fields of an answer, `null` where it has none: `next` is a cursor, or the next page's address. */
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
  /** The header that has the total. */
  totalHeader: z._default(z.nullable(headerName), null),
  /** Whether counts are numbers or their text. */
  counts: z._default(z.enum(['number', 'text']), 'number'),
  /** Page sizes, and what becomes of a larger one. */
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
  /** The field that has a single answer; `null`: it is the body. */
  in: z._default(holder, null),
  ids: z._default(z.enum(['text', 'number']), 'text'),
  case: z._default(z.enum(['snake', 'camel']), 'snake'),
  /** Other names of fields: ours to theirs, such as `secret: api_secret`. They go before `case`. */
  names: z._default(z.record(fieldNameSchema, fieldNameSchema), {}),
  /** What follows a creation: its status, and whether the body is there or only a `Location`. */
  created: z.prefault(
    z.strictObject({
      status: z._default(z.union([z.literal(200), z.literal(201), z.literal(202)]), 201),
      body: z._default(z.enum(['item', 'none']), 'item'),
    }),
    {},
  ),
  /** The status of a deletion. */
  deleted: z._default(z.union([z.literal(200), z.literal(202), z.literal(204)]), 204),
});

const kindSchema = z.strictObject({
  /** The answer to the kind's list when the service does not have it. */
  missing: z.optional(z.union([z.literal(404), z.literal(405), z.literal(501)])),
  list: z.optional(listSchema),
  item: z.optional(itemFormSchema),
});

/** A dialect file. Of unknown fields none passes: a misspelt form would be guessed at. */
export const dialectSchema = z.strictObject({
  dialect: z.literal(dialectVersion),
  /** What the paths begin with, such as `/api/v1`; a client has it in its base URL. */
  basePath: z._default(z.string().check(z.regex(/^(?:\/[\w.~-]+)*$/, 'must be a path, such as /api/v1')), ''),
  /** Whether signatures cover the base path. */
  signedBasePath: z._default(z.boolean(), true),
  list: z.prefault(listSchema, {}),
  item: z.prefault(itemFormSchema, {}),
  /** Kinds that differ from that. */
  kinds: z._default(z.record(z.string(), kindSchema), {}),
  quotas: z.prefault(
    z.strictObject({
      /** `data[0]` of an envelope, the bare record, the record in `quotas`, or an array with `kind`. */
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
