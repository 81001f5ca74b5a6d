import { momentExamples, parseMoment } from '../../text/duration.js';
import { nameSchema } from '../resources/resource.js';
import { z } from '../schema/schema.js';
import { maxRateRequests, sentMethods } from './calls.js';
import { keyIdSchema, limitsSchema, secretSchema } from './chosen-values.js';

// Inputs refuse unknown fields as typos. The schemas of responses are in `control-answers.ts`.

const restoreSchema = z.strictObject({ snapshot: z.string() });

const clockSchema = z.strictObject({ time: z.union([z.string(), z.number()]) });

const advanceSchema = z.strictObject({ by: z.union([z.string(), z.number()]) });

const faultsSchema = z.strictObject({ rules: z.array(z.string()).check(z.maxLength(100)) });

/** A string as `body` is sent as is, any other value as JSON. */
export const stubSchema = z.strictObject({
  request: z.string(),
  status: z.int(),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.unknown()),
});
export const stubFileSchema = z.omit(stubSchema, { request: true });
export type StubInput = z.infer<typeof stubSchema>;

/** Stubs may also be text, such as `GET /connections=200 []`. */
const stubsSchema = z.strictObject({
  stubs: z.array(z.union([z.string(), stubSchema])).check(z.maxLength(100)),
});

/** `window` is in milliseconds, or a duration such as `1m`. */
const rateLimitSchema = z.strictObject({
  requests: z.int().check(z.minimum(1), z.maximum(maxRateRequests)),
  window: z.union([z.string(), z.number()]),
});

const organizationOption = z.optional(z.string());

const quotasSchema = z.strictObject({ organization: organizationOption, limits: limitsSchema });

const organizationQuerySchema = z.strictObject({ organization: organizationOption });

/** `search` finds resources by a part of their name, or by their whole ID. */
export const resourcesQuerySchema = z.strictObject({
  organization: organizationOption,
  page: z.optional(z.string()),
  limit: z.optional(z.string()),
  search: z.optional(z.string().check(z.maxLength(255))),
});

/** `POST /organizations`: an organization with a key; the default limits are those of the service. */
const newOrganizationSchema = z.strictObject({
  name: z.optional(nameSchema()),
  quotas: z.optional(limitsSchema),
});

const issueSchema = z.strictObject({
  organization: organizationOption,
  id: z.optional(keyIdSchema),
  secret: z.optional(secretSchema),
  name: z.optional(nameSchema()),
});

/** `POST /keys/rename`; the key may belong to any organization. */
const renameSchema = z.strictObject({
  id: z.string(),
  name: nameSchema(),
});

/** `POST /profiles`: saves an issued key as a profile on the server's machine, under an unused name. */
const newProfileSchema = z.strictObject({
  name: z.string(),
  keyId: keyIdSchema,
  secret: secretSchema,
});

/**
 * A request for the server to sign and send. Omitted fields default to those of the journal entry `replay`; `fix` also
 * applies the remedy for its refusal.
 */
const requestToSendSchema = z.strictObject({
  replay: z.optional(z.int()),
  fix: z.optional(z.boolean()),
  organization: organizationOption,
  keyId: z.optional(keyIdSchema),
  method: z.optional(z.enum(sentMethods)),
  target: z.optional(
    z.string().check(z.regex(/^\/[\x21-\x7e]*$/, 'must begin with /, and be ASCII without spaces')),
  ),
  // Whitespace around a header's value is not part of the value, so it must not be signed.
  contentType: z.optional(
    z.string().check(z.regex(/^[\x20-\x7e]{0,1024}$/, 'must be ASCII, at most 1024 characters'), z.trim()),
  ),
  body: z.optional(z.string()),
});

/** `POST /session` of the console: exchanges a link's token for a bearer token. */
export const sessionSchema = z.strictObject({ token: z.string().check(z.maxLength(1024)) });

/** Text in a query, perhaps another value in the server's process. */
const asText = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value) => String(value)),
);

const flag = z.pipe(
  z.pipe(asText, z.enum(['true', 'false'])),
  z.transform((text) => text === 'true'),
);

const journalFilter = {
  key: z.optional(z.string().check(z.minLength(1), z.maxLength(1024))),
  method: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[A-Za-z-]{1,32}$/, 'must be a method such as POST, at most 32 letters')),
      z.transform((text) => text.toUpperCase()),
    ),
  ),
  path: z.optional(
    z
      .string()
      .check(
        z.regex(
          /^[/*][^?#]{0,1023}$/,
          'must be a path such as /teams/*, without a query, at most 1024 characters',
        ),
      ),
  ),
  status: z.optional(
    z.pipe(
      asText,
      z
        .string()
        .check(z.regex(/^[1-5](?:\d\d|xx)$/i, 'must be a status such as 404, or 4xx'), z.toLowerCase()),
    ),
  ),
  refused: z.optional(flag),
  since: z.optional(
    z.string().check(z.refine((text) => parseMoment(text, 0) !== undefined, `must be ${momentExamples}`)),
  ),
};

function limitFrom(least: 0 | 1) {
  const pattern = least === 0 ? /^(?:0|[1-9]\d{0,3})$/ : /^[1-9]\d{0,3}$/;
  return z.optional(
    z.pipe(
      z.pipe(asText, z.string().check(z.regex(pattern, `must be an integer from ${least} to 9999`))),
      z.transform((text) => Number(text)),
    ),
  );
}

const journalQuerySchema = z.strictObject({
  ...journalFilter,
  limit: limitFrom(1),
  count: z.optional(flag),
});

/** The stream begins with the newest existing entries, at most `limit`; default: all. */
export const journalStreamSchema = z.strictObject({ ...journalFilter, limit: limitFrom(0) });

const keySchema = z.strictObject({ id: z.string() });

/** A number that is too long, or none, is the ID of no entry. */
const entrySchema = z.strictObject({
  id: z.pipe(
    asText,
    z.transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0)),
  ),
});

/** The input of each call that has one. */
export const controlInputs = {
  'quotas.get': organizationQuerySchema,
  'keys.list': organizationQuerySchema,
  'journal.list': journalQuerySchema,
  'journal.get': entrySchema,
  'organizations.create': newOrganizationSchema,
  'keys.disable': keySchema,
  'keys.enable': keySchema,
  'keys.revoke': keySchema,
  'data.restore': restoreSchema,
  'clock.set': clockSchema,
  'clock.advance': advanceSchema,
  'faults.set': faultsSchema,
  'stubs.set': stubsSchema,
  'rateLimit.set': rateLimitSchema,
  'quotas.set': quotasSchema,
  'keys.issue': issueSchema,
  'keys.rename': renameSchema,
  'profiles.save': newProfileSchema,
  'requests.send': requestToSendSchema,
};

export type JournalQueryText = Omit<z.input<typeof journalQuerySchema>, 'count'>;

/** File with the control API's address and token, in a data directory that only one server uses. */
export const serverFileName = 'server.json';

export const serverLogName = 'serve.log';

/** Directory of files like `serverFileName`, one for each server of a shared database. */
export const sharedServersName = 'servers';

/** Directory of files like `serverFileName`, one for each proxy, named after its port. */
export const proxiesName = 'proxies';
