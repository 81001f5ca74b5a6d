import { z } from '../../contract/schema.js';
import { limitSchema } from './seed.js';

const id = z.catch(z.optional(z.string()), undefined);
const item = z.catch(z.object({ id, enabled: z.catch(z.optional(z.boolean()), undefined) }), {});
const items = z.catch(z.array(item), []);

// One that cannot be read refuses nothing.
const unlimited = Number.POSITIVE_INFINITY;
const limit = z.catch(z.optional(limitSchema), unlimited);
const noLimits = { 'api-keys': unlimited, connections: unlimited, teams: unlimited };

const organization = z.object({
  id,
  quotas: z.catch(z.optional(z.object({ 'api-keys': limit, connections: limit, teams: limit })), noLimits),
  keys: z.optional(items),
  connections: z.optional(items),
  teams: z.optional(items),
});

/**
 * What of a seed has to fit together, read also from one whose shape has problems: all of them are to be named at once.
 * What is not as it should be counts for nothing here.
 */
export const seedOutlineSchema = z.catch(
  z.object({ organizations: z.catch(z.array(z.catch(organization, {})), []) }),
  { organizations: [] },
);

export type SeedOutline = z.infer<typeof seedOutlineSchema>;
export type OrganizationOutline = SeedOutline['organizations'][number];
