import { z } from '../../contract/schema.js';
import { keyIdSchema, limitsSchema, secretSchema } from '../seed/schema.js';

/** The bodies and the query that the control API takes [ours]. Unknown fields are refused: they are slips of the pen. */
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

export const journalQuerySchema = z.strictObject({
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'must be an integer from 1 to 9999')),
      z.transform((text) => Number(text)),
    ),
  ),
  refused: z.optional(
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((text) => text === 'true'),
    ),
  ),
});
