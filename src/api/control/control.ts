import { momentExamples, parseMoment } from '../../text/duration.js';
import { nameSchema } from '../resources/resource.js';
import { z } from '../schema/schema.js';
import { maxRateRequests, sentMethods } from './calls.js';
import { keyIdSchema, limitsSchema, secretSchema, stubSchema } from './chosen-values.js';

// Inputs refuse unknown fields as typos. The schemas of responses are in `control-answers.ts`.

const organizationOption = z.optional(z.string());

const organizationQuery = z.strictObject({ organization: organizationOption });

/** `search` finds resources by a part of their name, or by their whole ID. */
export const resourcesQuerySchema = z.strictObject({
  organization: organizationOption,
  page: z.optional(z.string()),
  limit: z.optional(z.string()),
  search: z.optional(z.string().check(z.maxLength(255))),
});

const method = z.string().check(z.regex(/^[A-Za-z-]{1,32}$/, 'must be a method such as POST'));
const target = z.string().check(z.regex(/^\/[\x21-\x7e]*$/, 'must begin with /, and be visible ASCII'));
const shortText = z.string().check(z.maxLength(1024));
const duration = z.union([z.string(), z.number()]);

/** `POST /session` of the console: exchanges a link's token for a bearer token. */
export const sessionSchema = z.strictObject({ token: shortText });

/** Text, as in a query, or a number or boolean from a caller in the server's process. */
const asText = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value) => String(value)),
);

const flag = z.pipe(
  z.pipe(asText, z.enum(['true', 'false'])),
  z.transform((text) => text === 'true'),
);

const path = z
  .string()
  .check(z.regex(/^[/*][^?#]{0,1023}$/, 'must be a path such as /teams/*, without a query'));
const status = z.string().check(z.regex(/^[1-5](?:\d\d|xx)$/i, 'must be like 404 or 4xx'), z.toLowerCase());

const journalFilter = {
  key: z.optional(shortText.check(z.minLength(1))),
  method: z.optional(method.check(z.toUpperCase())),
  path: z.optional(path),
  status: z.optional(z.pipe(asText, status)),
  refused: z.optional(flag),
  since: z.optional(
    z.string().check(z.refine((text) => parseMoment(text, 0) !== undefined, `must be ${momentExamples}`)),
  ),
};

const limit = z.optional(
  z.pipe(
    z.pipe(asText, z.string().check(z.regex(/^\d{1,4}$/, 'must be an integer from 0 to 9999'))),
    z.transform((text) => Number(text)),
  ),
);

const journalQuerySchema = z.strictObject({ ...journalFilter, limit, count: z.optional(flag) });

/** The stream begins with the newest existing entries, at most `limit`; default: all. */
export const journalStreamSchema = z.strictObject({ ...journalFilter, limit });

const key = z.strictObject({ id: z.string() });

export const controlInputs = {
  'quotas.get': organizationQuery,
  'keys.list': organizationQuery,
  'journal.list': journalQuerySchema,
  // An ID that is not a number, or too long, finds no entry.
  'journal.get': z.strictObject({
    id: z.pipe(
      asText,
      z.transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0)),
    ),
  }),
  // Limits that are omitted are the service's defaults.
  'organizations.create': z.strictObject({
    name: z.optional(nameSchema()),
    quotas: z.optional(limitsSchema),
  }),
  'keys.disable': key,
  'keys.enable': key,
  'keys.revoke': key,
  'data.restore': z.strictObject({ snapshot: z.string() }),
  'clock.set': z.strictObject({ time: duration }),
  'clock.advance': z.strictObject({ by: duration }),
  'faults.set': z.strictObject({ rules: z.array(z.string()).check(z.maxLength(100)) }),
  // Stubs may also be text, such as `GET /connections=200 []`.
  'stubs.set': z.strictObject({
    stubs: z.array(z.union([z.string(), stubSchema])).check(z.maxLength(100)),
  }),
  // `window` is in milliseconds, or a duration such as `1m`.
  'rateLimit.set': z.strictObject({
    requests: z.int().check(z.minimum(1), z.maximum(maxRateRequests)),
    window: duration,
  }),
  'quotas.set': z.strictObject({ organization: organizationOption, limits: limitsSchema }),
  'keys.issue': z.strictObject({
    organization: organizationOption,
    id: z.optional(keyIdSchema),
    secret: z.optional(secretSchema),
    name: z.optional(nameSchema()),
  }),
  // The key may belong to any organization.
  'keys.rename': z.strictObject({ id: z.string(), name: nameSchema() }),
  // Saves an issued key as a profile on the server's machine, under an unused name.
  'profiles.save': z.strictObject({ name: z.string(), keyId: keyIdSchema, secret: secretSchema }),
  // Signs and sends a request. Omitted fields are those of the entry `replay`; `fix` also applies its remedy.
  'requests.send': z.strictObject({
    replay: z.optional(z.int()),
    fix: z.optional(z.boolean()),
    organization: organizationOption,
    keyId: z.optional(keyIdSchema),
    method: z.optional(z.enum(sentMethods)),
    target: z.optional(target),
    // Whitespace around a header's value is not part of the value, so it must not be signed.
    contentType: z.optional(
      z.string().check(z.regex(/^[\x20-\x7e]{0,1024}$/, 'must be ASCII, at most 1024 characters'), z.trim()),
    ),
    body: z.optional(z.string()),
  }),
};

export type JournalQueryText = Omit<z.input<typeof journalQuerySchema>, 'count'>;
