import { envelopeSchema } from './envelope.js';
import { ExactNumber } from './exact-number.js';
import { z } from './schema.js';

/**
 * A resource as the service returns it. The reference shows no fields of connections and teams, and of an API key
 * only `id`; so nothing is demanded here and everything passes through untouched.
 */
export const resourceSchema = z.custom<Resource>(isResource, 'Invalid input: expected object');
export type Resource = Record<string, unknown>;

/**
 * Whether a value is a JSON object. A record's schema would look at every field and copy it, and take as long over a page
 * as JSON.parse does.
 */
export function isResource(value: unknown): value is Resource {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/**
 * A list of resources. Its shape is not shown: the envelope of `/quotas` is ours, and a bare array is read too,
 * since a service that answers so answers with "a list" as well.
 */
export const resourceListSchema = z.union([z.array(resourceSchema), envelopeSchema(resourceSchema)]);
