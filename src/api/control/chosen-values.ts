import { secretLength } from '../../redaction/harmless.js';
import { largestLimit } from '../quota.js';
import { apiKeys } from '../resources/api-key.js';
import { quotaKinds } from '../resources/index.js';
import { z } from '../schema/schema.js';

export function identifierSchema(prefix: string) {
  const pattern = new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,128}$`);
  return z.string().check(z.regex(pattern, `must be ${prefix}_ and letters, digits, - or _`));
}

export const keyIdSchema = identifierSchema(apiKeys.idPrefix);

const secretForm = new RegExp(`^[\\x21-\\x7e]{${secretLength}}$`);
export const secretSchema = z
  .string()
  .check(z.regex(secretForm, `must be ${secretLength} visible ASCII characters`));

export const limitsSchema = z.partialRecord(
  z.enum(quotaKinds),
  z.int().check(z.minimum(0), z.maximum(largestLimit)),
);

/** A string as `body` is sent as is, any other value as JSON. */
export const stubSchema = z.strictObject({
  request: z.string(),
  status: z.int(),
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.unknown()),
});
export const stubFileSchema = z.omit(stubSchema, { request: true });
export type StubInput = z.infer<typeof stubSchema>;
