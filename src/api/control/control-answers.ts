import { quotaRecordSchema } from '../quota.js';
import { apiKeys } from '../resources/api-key.js';
import { z } from '../schema/schema.js';

/** What the control API under `/_control` answers [ours], as far as its clients look at it; what is added passes through. */
const snapshotAnswerSchema = z.looseObject({ snapshot: z.string() });

/** The snapshots that `POST /restore` knows, oldest first; `time` is when each was taken, by the server's clock. */
export const snapshotsAnswerSchema = z.looseObject({
  snapshots: z.array(z.looseObject({ snapshot: z.string(), time: z.string() })),
});

export const clockAnswerSchema = z.looseObject({ time: z.string(), offset: z.number() });

/** So many requests of each API key in a window of milliseconds; `null` where there is no limit. */
export const rateLimitAnswerSchema = z.looseObject({
  rateLimit: z.nullable(z.looseObject({ requests: z.int(), window: z.number() })),
});

const faultSchema = z.looseObject({
  rule: z.string(),
  hits: z.number(),
  remaining: z.optional(z.number()),
});

const faultsAnswerSchema = z.looseObject({ faults: z.array(faultSchema) });
export type FaultAnswer = z.infer<typeof faultSchema>;

const stubSchema = z.looseObject({
  request: z.string(),
  status: z.int(),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.string()),
  hits: z.number(),
});

/** The answers by hand, in the order in which they are tried. */
const stubsAnswerSchema = z.looseObject({ stubs: z.array(stubSchema) });
export type StubAnswer = z.infer<typeof stubSchema>;

export const controlledKeySchema = z.looseObject(apiKeys.answer().shape);
export type ControlledKey = z.infer<typeof controlledKeySchema>;

const issuedKeySchema = z.looseObject({ ...controlledKeySchema.shape, secret: z.string() });

const keysAnswerSchema = z.looseObject({ keys: z.array(controlledKeySchema) });

export const organizationsAnswerSchema = z.looseObject({
  organizations: z.array(
    z.looseObject({ id: z.string(), name: z.string(), created_at: z.string(), quotas: quotaRecordSchema }),
  ),
});

/** Where the string that was signed first differs from the one that was to be. */
const differenceSchema = z.looseObject({
  /** Bytes before it, of the whole string. */
  byte: z.int(),
  /** The part of the string that is to be signed: `method`, `target`, `timestamp`, `content type`, `body`, or `end`. */
  part: z.string(),
});

/** Why a request was refused; what is absent is not known, or does not apply. */
export const refusalSchema = z.looseObject({
  check: z.string(),
  /** A sentence without a full stop. */
  reason: z.string(),
  /** Seconds by which the timestamp is ahead of the server's clock. */
  skew: z.optional(z.number()),
  /** The known mistake, and what to change in the client. */
  mistake: z.optional(z.string()),
  advice: z.optional(z.string()),
  /** What is to be signed, on one line: line ends as `\n`, a backslash as `\\`, secrets masked. */
  canonical: z.optional(z.string()),
  /** What was signed in its place, written in the same way. */
  signed: z.optional(z.string()),
  difference: z.optional(differenceSchema),
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
  /** The rule by which it went wrong. */
  fault: z.optional(z.string()),
  /** The stub that answered. */
  stub: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  bodyBytes: z.optional(z.int()),
  /** The JSON value with secrets masked, or words for what is none; absent without a body and with one over 16 KiB. */
  body: z.optional(z.unknown()),
  refusal: z.optional(refusalSchema),
});
export type JournalEntryAnswer = z.infer<typeof journalEntrySchema>;

/** `GET /journal/{id}`: one entry, and where its credential was refused a curl command that would be accepted. */
export const journalDetailSchema = z.looseObject({
  ...journalEntrySchema.shape,
  /** What was answered; its body as the request's. */
  response: z.optional(
    z.looseObject({
      headers: z.record(z.string(), z.string()),
      bodyBytes: z.int(),
      body: z.optional(z.unknown()),
    }),
  ),
  /** With words in capitals for what it must not have: `SIGNATURE`, `SECRET`; masked values are to be filled in. */
  curl: z.optional(z.string()),
});
export type JournalDetailAnswer = z.infer<typeof journalDetailSchema>;

export const signatureCheckAnswerSchema = z.looseObject({
  /** Whether the signature is that of the request, however old it is. */
  matches: z.boolean(),
  /** What the service would refuse it for now, in its order: timestamp, signature, a disabled key. Nothing: accepted. */
  refusals: z.array(refusalSchema),
  /** What is to be signed, written as in `refusalSchema`. */
  canonical: z.string(),
  curl: z.string(),
});
export type SignatureCheckAnswer = z.infer<typeof signatureCheckAnswerSchema>;

/** `POST /console/links`: an address of the console that lets one browser in, once. */
export const consoleLinkSchema = z.looseObject({ console: z.string() });

/** `POST /console/codes`: the address of the console, and a code that lets one browser in there, once. */
export const consoleInvitationSchema = z.looseObject({ console: z.string(), code: z.string() });

/** `POST /session` of the console: authorizes its control API until the server stops, and proves the session to its next start. */
export const sessionAnswerSchema = z.looseObject({ bearer: z.string(), renewal: z.string() });
export type SessionAnswer = Pick<z.infer<typeof sessionAnswerSchema>, 'bearer' | 'renewal'>;

const journalAnswerSchema = z.looseObject({ entries: z.array(journalEntrySchema) });

/** `GET /journal` with `count=true`. */
export const journalCountSchema = z.looseObject({ count: z.int() });

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
  /** Where the management console is, without a token; absent where there is none. */
  console: z.optional(z.string()),
  /** PEM file of the authority to trust; absent with plain HTTP or a certificate of one's own. */
  caFile: z.optional(z.string()),
  clock: clockAnswerSchema,
  faults: z.array(faultSchema),
  /** Without headers and bodies; absent from servers before 0.2. */
  stubs: z.optional(z.array(z.looseObject({ request: z.string(), status: z.int(), hits: z.number() }))),
  /** The form of answers, if not the server's own: a preset's name, or `custom`. */
  dialect: z.optional(z.string()),
  ...rateLimitAnswerSchema.shape,
  /** Whether `POST /profiles` can keep a key as a profile of this machine. */
  savesProfiles: z.boolean(),
  /** The profile of this machine that has the first key; absent where none is kept. */
  profile: z.optional(z.string()),
  requests: z.looseObject({ total: z.int(), refused: z.int(), kept: z.int() }),
});
export type StatusAnswer = z.infer<typeof statusAnswerSchema>;

/** The answers of calls, by the names in `calls.ts`; a call without one answers nothing, an event stream or the service's own. */
export const controlAnswers = {
  'console.link': consoleLinkSchema,
  'console.invite': consoleInvitationSchema,
  'data.reset': z.looseObject({ reset: z.boolean() }),
  'data.snapshot': snapshotAnswerSchema,
  'data.snapshots': snapshotsAnswerSchema,
  'data.restore': snapshotAnswerSchema,
  'clock.get': clockAnswerSchema,
  'clock.set': clockAnswerSchema,
  'clock.advance': clockAnswerSchema,
  'faults.get': faultsAnswerSchema,
  'faults.set': faultsAnswerSchema,
  'stubs.get': stubsAnswerSchema,
  'stubs.set': stubsAnswerSchema,
  'rateLimit.get': rateLimitAnswerSchema,
  'rateLimit.set': rateLimitAnswerSchema,
  'organizations.list': organizationsAnswerSchema,
  'quotas.get': quotaRecordSchema,
  'quotas.set': quotaRecordSchema,
  'keys.list': keysAnswerSchema,
  'keys.issue': issuedKeySchema,
  'keys.disable': controlledKeySchema,
  'keys.enable': controlledKeySchema,
  'profiles.save': z.looseObject({ profile: z.string() }),
  'status.get': statusAnswerSchema,
  'journal.list': journalAnswerSchema,
  'journal.get': journalDetailSchema,
  'signatures.check': signatureCheckAnswerSchema,
};

/** What a server's file holds: `serverFileName`, or one in `sharedServersName`. */
export const serverFileSchema = z.object({
  url: z.string(),
  /** Where the control API answers, and its bearer token. */
  control: z.string(),
  token: z.string(),
  pid: z.int(),
  /** ISO 8601, by the machine's clock. */
  startedAt: z.string(),
  /** The shared database that has the data; absent for the server that owns the directory. */
  database: z.optional(z.string()),
  /** The authority that issued the certificate; absent with plain HTTP or a certificate of one's own. */
  caFile: z.optional(z.string()),
  /** Where the management console is, without a token; absent where there is none. */
  console: z.optional(z.string()),
});
export type ServerFile = z.infer<typeof serverFileSchema>;
