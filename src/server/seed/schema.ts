import {
  identifierSchema,
  keyIdSchema,
  limitsSchema,
  secretSchema,
} from '../../api/control/chosen-values.js';
import { connectionInputSchema, connections } from '../../api/resources/connection.js';
import { isPlainResource, resources } from '../../api/resources/index.js';
import { nameSchema } from '../../api/resources/resource.js';
import { type Problem, z } from '../../api/schema/schema.js';
import { complaintAbout } from '../http/body.js';
import type { Seed } from '../options.js';

const keySchema = z.strictObject({
  id: keyIdSchema,
  secret: z.optional(secretSchema),
  name: z.optional(nameSchema()),
  enabled: z.optional(z.boolean()),
});

const connectionSchema = z
  .strictObject({
    id: z.optional(identifierSchema(connections.idPrefix)),
    name: nameSchema(),
    type: z.string(),
    config: z.record(z.string(), z.unknown()),
  })
  .check(({ value, issues }) => {
    const { id: _id, ...input } = value;
    for (const { path, message } of z.safeParse(connectionInputSchema(input), input).error?.issues ?? []) {
      issues.push({ code: 'custom', message, path: [...path], input });
    }
  });

const plainLists = resources.filter(isPlainResource).map(({ kind, idPrefix, input }) => {
  const entry = z.strictObject({ id: z.optional(identifierSchema(idPrefix)), ...input.shape });
  return [kind, z.optional(z.array(entry))] as const;
});

const organizationSchema = z.strictObject({
  id: z.optional(identifierSchema('org')),
  name: nameSchema(),
  quotas: z.optional(limitsSchema),
  keys: z.optional(z.array(keySchema)),
  connections: z.optional(z.array(connectionSchema)),
  ...Object.fromEntries(plainLists),
});

const seedSchema = z.strictObject(
  { organizations: z.array(organizationSchema).check(z.minLength(1)) },
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with organizations' : undefined) },
) satisfies z.ZodMiniType<Seed>;

/** Checks a seed's shape. Exceeded quotas and duplicate IDs are refused when the seed is stored. */
export function checkSeed(
  value: unknown,
): { readonly seed: Seed } | { readonly problems: readonly Problem[] } {
  const complaint = complaintAbout(value);
  if (complaint !== undefined) return { problems: [{ path: [], message: complaint }] };
  const { data, error } = z.safeParse(seedSchema, value);
  return error === undefined ? { seed: data } : { problems: error.issues };
}
