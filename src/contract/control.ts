import { keyIdSchema, limitsSchema, secretSchema } from './chosen-values.js';
import { apiKeys } from './resources/api-key.js';
import { z } from './schema.js';

/**
 * The control API under `/_control` [ours], as both of its sides know it: the bodies and queries that it takes, of which
 * unknown fields are refused, being slips of the pen, and what it answers.
 */
export const restoreSchema = z.strictObject({ snapshot: z.string() });

export const clockSchema = z.strictObject({ time: z.union([z.string(), z.number()]) });

export const advanceSchema = z.strictObject({ by: z.union([z.string(), z.number()]) });

export const faultsSchema = z.strictObject({ rules: z.array(z.string()).check(z.maxLength(100)) });

const organization = z.optional(z.string());

export const quotasSchema = z.strictObject({ organization, limits: limitsSchema });

export const issueSchema = z.strictObject({
  organization,
  id: z.optional(keyIdSchema),
  secret: z.optional(secretSchema),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
});

export const keysQuerySchema = z.strictObject({ organization });

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

/** The query of the journal as it is written. */
export type JournalQueryText = Omit<z.input<typeof journalQuerySchema>, 'count'>;

/** The name of an event of the journal's stream. */
export const journalEvent = { request: 'request', missed: 'missed', end: 'end' } as const;

/** The answer to a snapshot, and to its restoring. */
export const snapshotAnswerSchema = z.looseObject({ snapshot: z.string() });

export const clockAnswerSchema = z.looseObject({ time: z.string(), offset: z.number() });

const faultSchema = z.looseObject({
  rule: z.string(),
  hits: z.number(),
  remaining: z.optional(z.number()),
});

export const faultsAnswerSchema = z.looseObject({ faults: z.array(faultSchema) });
export type FaultAnswer = z.infer<typeof faultSchema>;

export const controlledKeySchema = z.looseObject(apiKeys.answer().shape);
export type ControlledKey = z.infer<typeof controlledKeySchema>;

export const issuedKeySchema = z.looseObject({ ...controlledKeySchema.shape, secret: z.string() });

export const keysAnswerSchema = z.looseObject({ keys: z.array(controlledKeySchema) });

export const journalEntrySchema = z.looseObject({
  id: z.int(),
  time: z.string(),
  method: z.string(),
  target: z.string(),
  status: z.nullable(z.int()),
  milliseconds: z.number(),
  keyId: z.optional(z.string()),
  refusal: z.optional(z.looseObject({ check: z.string(), reason: z.string() })),
});
export type JournalEntryAnswer = z.infer<typeof journalEntrySchema>;

export const journalAnswerSchema = z.looseObject({ entries: z.array(journalEntrySchema) });

/** What `missed` tells: how many requests a reader of the stream was too late for. */
export const missedSchema = z.looseObject({ count: z.int() });

export const statusAnswerSchema = z.looseObject({
  url: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  organization: z.string(),
  keyId: z.string(),
  data: z.optional(z.string()),
  database: z.optional(z.string()),
  console: z.optional(z.string()),
  clock: clockAnswerSchema,
  faults: z.array(faultSchema),
  requests: z.looseObject({ total: z.int(), refused: z.int(), kept: z.int() }),
});
export type StatusAnswer = z.infer<typeof statusAnswerSchema>;

/** Where a server that keeps its data says how it is steered while it runs: a file in its data directory. */
export const serverFileName = 'server.json';

export const serverFileSchema = z.object({
  /** Where the service answers. */
  url: z.string(),
  /** Where the control API answers, and its bearer token. */
  control: z.string(),
  token: z.string(),
  pid: z.int(),
  /** ISO 8601, by the machine's clock. */
  startedAt: z.string(),
  /** The authority that issued the certificate; absent with plain HTTP or a certificate of one's own. */
  caFile: z.optional(z.string()),
});
export type ServerFile = z.infer<typeof serverFileSchema>;
