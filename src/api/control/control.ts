import { z } from '../schema/schema.js';
import { keyIdSchema, limitsSchema, secretSchema } from './chosen-values.js';

/**
 * What the control API under `/_control` takes [ours]: bodies and queries, whose unknown fields are refused as typos.
 * Its answers are in `control-answers.ts`, which the server does not need.
 */
const restoreSchema = z.strictObject({ snapshot: z.string() });

const clockSchema = z.strictObject({ time: z.union([z.string(), z.number()]) });

const advanceSchema = z.strictObject({ by: z.union([z.string(), z.number()]) });

const faultsSchema = z.strictObject({ rules: z.array(z.string()).check(z.maxLength(100)) });

/** An answer by hand: `body` is sent as it is when it is text, and otherwise as JSON. */
export const stubSchema = z.strictObject({
  request: z.string(),
  status: z.int(),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.unknown()),
});
/** A file of a stub: all but its request. */
export const stubFileSchema = z.omit(stubSchema, { request: true });
export type StubInput = z.infer<typeof stubSchema>;

/** `PUT /stubs`: all of them, also as text, such as `GET /connections=200 []`. */
const stubsSchema = z.strictObject({
  stubs: z.array(z.union([z.string(), stubSchema])).check(z.maxLength(100)),
});

/** `PUT /rate-limit`: so many requests of each API key in a window of milliseconds, or of a duration such as `1m`. */
const rateLimitSchema = z.strictObject({
  requests: z.int().check(z.minimum(1), z.maximum(999_999_999)),
  window: z.union([z.string(), z.number()]),
});

/** Without one it is the first organization. */
const organizationOption = z.optional(z.string());

const quotasSchema = z.strictObject({ organization: organizationOption, limits: limitsSchema });

/** Of whatever belongs to one organization: its quotas, its keys, one resource of it. */
const organizationQuerySchema = z.strictObject({ organization: organizationOption });

/** `GET /connections` and the like: `page` and `limit` as the service takes them; `search` is a part of the name. */
export const resourcesQuerySchema = z.strictObject({
  organization: organizationOption,
  page: z.optional(z.string()),
  limit: z.optional(z.string()),
  search: z.optional(z.string().check(z.maxLength(255))),
});

export const issueSchema = z.strictObject({
  organization: organizationOption,
  id: z.optional(keyIdSchema),
  secret: z.optional(secretSchema),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
});

/** `POST /profiles`: an issued key, to be kept on this machine under a name that is free. */
export const newProfileSchema = z.strictObject({
  name: z.string(),
  keyId: keyIdSchema,
  secret: secretSchema,
});

/** `POST /signatures/check`: a request as its client means to send it. */
export const signatureCheckSchema = z.strictObject({
  keyId: keyIdSchema,
  method: z.string().check(z.regex(/^[A-Za-z-]{1,32}$/, 'must be a method such as POST')),
  /** Path and query, as on the request line. */
  target: z.string().check(z.regex(/^\/[\x21-\x7e]*$/, 'must begin with /, and be ASCII without spaces')),
  /** The value of `X-API-Timestamp`. */
  timestamp: z.string().check(z.maxLength(64)),
  /** The value of `Content-Type`; empty where the header is not there. */
  contentType: z.optional(z.string().check(z.maxLength(1024))),
  /** Empty where there is none. */
  body: z.optional(z.string()),
  /** The value of `X-API-Signature`. */
  signature: z.string().check(z.maxLength(1024)),
});

/** `POST /session` of the console's own listener: the token of a link, or a code, for a bearer. */
export const sessionSchema = z.strictObject({ token: z.string().check(z.maxLength(1024)) });

/** `POST /session/renewal`: the HMAC-SHA256 of the server's start and origin with the hash of the renewal token, in hex. */
export const renewalSchema = z.strictObject({ proof: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

const flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
);

/** Which requests of the journal are meant; each is optional. */
const journalFilter = {
  /** The key that a request was authenticated with, or the one that it claims. */
  key: z.optional(z.string().check(z.minLength(1), z.maxLength(1024))),
  method: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[A-Za-z-]{1,32}$/, 'must be a method such as POST')),
      z.transform((text) => text.toUpperCase()),
    ),
  ),
  path: z.optional(
    z.string().check(z.regex(/^[/*][^?#]{0,1023}$/, 'must be a path without a query, such as /teams/*')),
  ),
  status: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-5](?:\d\d|xx)$/i, 'must be a status such as 404, or 4xx')),
      z.transform((text) => text.toLowerCase()),
    ),
  ),
  refused: z.optional(flag),
};

/** How many entries at most, from `least` on. */
function limitFrom(least: 0 | 1) {
  const pattern = least === 0 ? /^(?:0|[1-9]\d{0,3})$/ : /^[1-9]\d{0,3}$/;
  return z.optional(
    z.pipe(
      z.string().check(z.regex(pattern, `must be an integer from ${least} to 9999`)),
      z.transform((text) => Number(text)),
    ),
  );
}

export const journalQuerySchema = z.strictObject({
  ...journalFilter,
  limit: limitFrom(1),
  count: z.optional(flag),
});

/** Of those that are there already a stream begins with the newest `limit`, default all. */
export const journalStreamQuerySchema = z.strictObject({ ...journalFilter, limit: limitFrom(0) });

/** The queries of calls, by the names in `calls.ts`; the other calls ignore theirs. */
export const controlQueries = {
  'quotas.get': organizationQuerySchema,
  'keys.list': organizationQuerySchema,
  'journal.list': journalQuerySchema,
  'journal.follow': journalStreamQuerySchema,
  'items.list': resourcesQuerySchema,
  'items.create': organizationQuerySchema,
  'items.get': organizationQuerySchema,
  'items.update': organizationQuerySchema,
  'items.delete': organizationQuerySchema,
};

/** The bodies of calls, by the names in `calls.ts`; those of `items` are the service's. */
export const controlBodies = {
  'data.restore': restoreSchema,
  'clock.set': clockSchema,
  'clock.advance': advanceSchema,
  'faults.set': faultsSchema,
  'stubs.set': stubsSchema,
  'rateLimit.set': rateLimitSchema,
  'quotas.set': quotasSchema,
  'keys.issue': issueSchema,
  'profiles.save': newProfileSchema,
  'signatures.check': signatureCheckSchema,
};

/** The query of the journal as it is written. */
export type JournalQueryText = Omit<z.input<typeof journalQuerySchema>, 'count'>;

/** The file in which the running server that owns a data directory publishes its control API there. */
export const serverFileName = 'server.json';

/** The folder of the data directory for the files of servers that have their data in a shared database, one a server. */
export const sharedServersName = 'servers';
