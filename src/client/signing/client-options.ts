import { authModes } from '../../api/option-values.js';
import { checkOptions, functionOption, z } from '../../api/schema/schema.js';

const credentialOption = () => ({
  keyId: z.string().check(z.minLength(1)),
  secret: z.string().check(z.minLength(1)),
  auth: z.optional(z.enum(authModes)),
  clock: z.optional(functionOption),
});

const bodyOption = () => ({ maxBodyBytes: z.optional(z.int().check(z.minimum(0))) });

const durationOption = () => z.optional(z.number().check(z.positive()));

const dispatcherOption = () =>
  z.custom<object>(
    (value) => typeof Reflect.get(Object(value), 'dispatch') === 'function',
    'must be an undici dispatcher',
  );

const optionsOf = {
  signInterceptor: () => ({ ...bodyOption(), origin: z.string() }),
  signedFetch: () => ({
    ...bodyOption(),
    fetch: z.optional(functionOption),
    caFile: z.optional(z.string()),
  }),
  createClient: () => ({
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
    dispatcher: z.optional(dispatcherOption()),
  }),
};

/** @throws UsageError for wrong or unknown options */
export function requireOptions(what: keyof typeof optionsOf, options: unknown): void {
  checkOptions(what, z.strictObject({ ...credentialOption(), ...optionsOf[what]() }), options);
}
