import { envelopeSchema } from './envelope.js';
import { z } from './schema.js';

/**
 * A resource as the service returns it. The reference shows no fields of connections and teams, and of an API key
 * only `id`; so nothing is demanded here and everything passes through untouched.
 */
export const resourceSchema = z.record(z.string(), z.unknown());
export type Resource = z.infer<typeof resourceSchema>;

/**
 * A list of resources. Its shape is not shown: the envelope of `/quotas` is ours, and a bare array is read too,
 * since a service that answers so answers with "a list" as well.
 */
export const resourceListSchema = z.union([z.array(resourceSchema), envelopeSchema(resourceSchema)]);
