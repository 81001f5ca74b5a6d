import { authModes } from '../../api/option-values.js';
import { checkOptions, functionOption } from '../../api/schema/check-options.js';
import { z } from '../../api/schema/schema.js';

const credentialOption = () => ({
  keyId: z.string().check(z.minLength(1)),
  secret: z.string().check(z.minLength(1)),
  auth: z.optional(z.enum(authModes)),
  clock: z.optional(functionOption),
});

const signing = () => ({ ...credentialOption(), maxBodyBytes: z.optional(z.int().check(z.minimum(0))) });

const durationOption = () => z.optional(z.number().check(z.positive()));

const client = () => ({
  ...credentialOption(),
  baseUrl: z.string(),
  caFile: z.optional(z.string()),
  timeout: durationOption(),
  deadline: durationOption(),
  retries: z.optional(z.int().check(z.minimum(0))),
  readOnly: z.optional(z.boolean()),
  env: z.optional(z.record(z.string(), z.optional(z.string()))),
  userAgent: z.optional(z.string()),
  onNote: z.optional(functionOption),
  onRetry: z.optional(functionOption),
  dispatcher: z.optional(
    z.custom<object>(
      (value) => typeof Reflect.get(Object(value), 'dispatch') === 'function',
      'must be an undici dispatcher',
    ),
  ),
});

export function requireSignOptions(options: unknown): void {
  checkOptions('signInterceptor', z.strictObject({ ...signing(), origin: z.string() }), options);
}

export function requireFetchOptions(options: unknown): void {
  checkOptions(
    'signedFetch',
    z.strictObject({ ...signing(), fetch: z.optional(functionOption), caFile: z.optional(z.string()) }),
    options,
  );
}

export function requireClientOptions(options: unknown): void {
  checkOptions('createClient', z.strictObject(client()), options);
}
