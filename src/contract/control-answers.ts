import { apiKeys } from './resources/api-key.js';
import { z } from './schema.js';

/** What the control API under `/_control` answers [ours], as far as its clients look at it; what is added passes through. */
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

/** What `serverFileName` holds. */
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
