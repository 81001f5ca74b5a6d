import { quotaRecordSchema } from '../quota.js';
import { apiKeys } from '../resources/api-key.js';
import { z } from '../schema/schema.js';
import type { CallName } from './calls.js';
import type { controlInputs } from './control.js';

const snapshotAnswerSchema = z.looseObject({ snapshot: z.string() });

export const clockAnswerSchema = z.looseObject({ time: z.string(), offset: z.number() });

const rateLimitAnswerSchema = z.looseObject({
  rateLimit: z.nullable(z.looseObject({ requests: z.int(), window: z.number() })),
});

const faultSchema = z.looseObject({
  rule: z.string(),
  hits: z.number(),
  remaining: z.optional(z.number()),
});

export type FaultAnswer = z.infer<typeof faultSchema>;

const stubSchema = z.looseObject({
  request: z.string(),
  status: z.int(),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.string()),
  hits: z.number(),
});

export type StubAnswer = z.infer<typeof stubSchema>;

const controlledKeySchema = z.looseObject(apiKeys.answer().shape);
export type ControlledKey = z.infer<typeof controlledKeySchema>;

/** Why a request was refused. Fields that are unknown or do not apply are absent. */
const refusalSchema = z.looseObject({
  check: z.string(),
  reason: z.string(),
  skew: z.optional(z.number()),
  mistake: z.optional(z.string()),
  advice: z.optional(z.string()),
  /** A change after which the same request should work; `requests.send` with `fix` applies it. */
  remedy: z.optional(
    z.looseObject({
      /** `sign`, `edit`, `enable-key` or `raise-limit`. */
      step: z.string(),
      path: z.optional(z.string()),
      method: z.optional(z.string()),
      kind: z.optional(z.string()),
      limit: z.optional(z.int()),
    }),
  ),
  /** The string to sign, on one line: `\n` stands for a line feed, `\\` for a backslash; secrets are masked. */
  canonical: z.optional(z.string()),
  signed: z.optional(z.string()),
  /** `part`: `method`, `target`, `timestamp`, `content type`, `body`, or `end`. */
  difference: z.optional(z.looseObject({ byte: z.int(), part: z.string() })),
});
export type RefusalAnswer = z.infer<typeof refusalSchema>;

export const journalEntrySchema = z.looseObject({
  id: z.int(),
  time: z.string(),
  method: z.string(),
  target: z.string(),
  status: z.nullable(z.int()),
  milliseconds: z.number(),
  keyId: z.optional(z.string()),
  organization: z.optional(z.string()),
  fault: z.optional(z.string()),
  stub: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  bodyBytes: z.optional(z.int()),
  /** JSON with secrets masked, or a description of other data; absent if the body is empty, unread or over 16 KiB. */
  body: z.optional(z.unknown()),
  refusal: z.optional(refusalSchema),
});
export type JournalEntryAnswer = z.infer<typeof journalEntrySchema>;

/** `GET /journal/{id}`: an entry and its response. */
export const journalDetailSchema = z.looseObject({
  ...journalEntrySchema.shape,
  response: z.optional(
    z.looseObject({
      headers: z.record(z.string(), z.string()),
      bodyBytes: z.int(),
      body: z.optional(z.unknown()),
    }),
  ),
});
export type JournalDetailAnswer = z.infer<typeof journalDetailSchema>;

export const missedSchema = z.looseObject({ count: z.int() });

export const statusAnswerSchema = z.looseObject({
  url: z.string(),
  /** For a proxy: the URL of the service behind it. */
  upstream: z.optional(z.string()),
  pid: z.int(),
  startedAt: z.string(),
  organization: z.string(),
  keyId: z.string(),
  data: z.optional(z.string()),
  database: z.optional(z.string()),
  console: z.optional(z.string()),
  /** PEM file of the authority to trust; absent with plain HTTP or a custom certificate. */
  caFile: z.optional(z.string()),
  clock: clockAnswerSchema,
  faults: z.array(faultSchema),
  /** Without headers and bodies. */
  stubs: z.optional(z.array(z.looseObject({ request: z.string(), status: z.int(), hits: z.number() }))),
  dialect: z.optional(z.string()),
  ...rateLimitAnswerSchema.shape,
  /** Whether `POST /profiles` works here. */
  savesProfiles: z.boolean(),
  profile: z.optional(z.string()),
  requests: z.looseObject({ total: z.int(), refused: z.int(), kept: z.int() }),
});
export type StatusAnswer = z.infer<typeof statusAnswerSchema>;

const nothing = z.undefined();
const named = { id: z.string(), name: z.string() };

export const controlAnswers = {
  // A link to the console that works once.
  'console.link': z.looseObject({ console: z.string() }),
  'data.reset': z.looseObject({ reset: z.boolean() }),
  'data.snapshot': snapshotAnswerSchema,
  // Oldest first; `time` is by the server's clock, which tests can change.
  'data.snapshots': z.looseObject({
    snapshots: z.array(z.looseObject({ snapshot: z.string(), time: z.string() })),
  }),
  'data.restore': snapshotAnswerSchema,
  // A copy of the database for `serve backup`: the name of a file in the data directory.
  'data.copy': z.looseObject({ copy: z.string().check(z.regex(/^\.orgctl-[0-9a-f]{24}\.db$/)) }),
  'clock.get': clockAnswerSchema,
  'clock.set': clockAnswerSchema,
  'clock.advance': clockAnswerSchema,
  'faults.get': z.looseObject({ faults: z.array(faultSchema) }),
  'faults.set': z.looseObject({ faults: z.array(faultSchema) }),
  'faults.clear': nothing,
  'stubs.get': z.looseObject({ stubs: z.array(stubSchema) }),
  'stubs.set': z.looseObject({ stubs: z.array(stubSchema) }),
  'stubs.clear': nothing,
  'rateLimit.get': rateLimitAnswerSchema,
  'rateLimit.set': rateLimitAnswerSchema,
  'rateLimit.clear': nothing,
  'organizations.create': z.looseObject({ ...named, keyId: z.string(), secret: z.string() }),
  'organizations.list': z.looseObject({
    organizations: z.array(z.looseObject({ ...named, created_at: z.string(), quotas: quotaRecordSchema() })),
  }),
  'quotas.get': quotaRecordSchema(),
  'quotas.set': quotaRecordSchema(),
  'keys.first': z.looseObject({ keyId: z.string(), secret: z.string() }),
  'keys.list': z.looseObject({ keys: z.array(controlledKeySchema) }),
  'keys.issue': z.looseObject({ ...controlledKeySchema.shape, secret: z.string() }),
  'keys.disable': controlledKeySchema,
  'keys.enable': controlledKeySchema,
  'keys.rename': controlledKeySchema,
  'keys.revoke': nothing,
  'profiles.save': z.looseObject({ profile: z.string() }),
  'server.stop': nothing,
  'status.get': statusAnswerSchema,
  // With `count=true`, only the count.
  'journal.list': z.looseObject({
    entries: z.optional(z.array(journalEntrySchema)),
    count: z.optional(z.int()),
  }),
  'journal.get': journalDetailSchema,
  'journal.clear': nothing,
  'requests.send': journalDetailSchema,
};

export type CallInput<Name extends CallName> = Name extends keyof typeof controlInputs
  ? z.input<(typeof controlInputs)[Name]>
  : undefined;

/** A call's arguments: its input, which is optional if all its fields are; none for a call without input. */
export type CallArguments<Name extends CallName> = Name extends keyof typeof controlInputs
  ? object extends CallInput<Name>
    ? [input?: CallInput<Name>]
    : [input: CallInput<Name>]
  : [];

export type CallAnswer<Name extends CallName> = z.output<(typeof controlAnswers)[Name]>;

/** An answer as a server makes it: without the fields that only a later version may add. */
type Written<Value> = Value extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : Value extends object
    ? {
        readonly [Key in keyof Value as string extends Key
          ? unknown extends Value[Key]
            ? never
            : Key
          : Key]: Written<Value[Key]>;
      }
    : Value;

export type MadeAnswer<Name extends CallName> =
  undefined extends CallAnswer<Name> ? undefined : Written<CallAnswer<Name>>;
