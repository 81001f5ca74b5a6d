import { envelopeSchema } from './envelope.js';
import { z } from './schema.js';

/**
 * A resource as the service returns it. The reference shows no fields of connections and teams, and of an API key
 * only `id`; so nothing is demanded here and everything passes through untouched.
 */
export const resourceSchema = z.custom<Resource>(isObject, 'Invalid input: expected object');
export type Resource = Record<string, unknown>;

// A record's schema would look at every field and copy it, and take as long over a page as JSON.parse does.
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A list of resources. Its shape is not shown: the envelope of `/quotas` is ours, and a bare array is read too,
 * since a service that answers so answers with "a list" as well.
 */
export const resourceListSchema = z.union([z.array(resourceSchema), envelopeSchema(resourceSchema)]);
