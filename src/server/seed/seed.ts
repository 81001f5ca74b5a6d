import { secretLength } from '../../contract/api-key.js';
import { connectionInputSchema } from '../../contract/connection.js';
import { resourceKinds } from '../../contract/resource-kind.js';
import { z } from '../../contract/schema.js';

const name = z.string().check(z.minLength(1), z.maxLength(255));

function identifier(prefix: 'org' | 'key' | 'conn' | 'team') {
  const pattern = new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,128}$`);
  return z.string().check(z.regex(pattern, `must be ${prefix}_ and letters, digits, - or _`));
}

/** The ID of a key of one's own choice. */
export const keyIdSchema = identifier('key');

/** A secret of one's own choice: 64 characters (reference, section 2), visible ASCII [ours]. */
export const secretSchema = z
  .string()
  .check(
    z.regex(
      new RegExp(`^[\\x21-\\x7e]{${secretLength}}$`),
      `must be ${secretLength} visible ASCII characters`,
    ),
  );

/** Limits by kind; what a database's integer holds. */
export const limitsSchema = z.partialRecord(
  z.enum(resourceKinds),
  z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
);

const keySchema = z.strictObject({
  id: keyIdSchema,
  secret: z.optional(secretSchema),
  name: z.optional(name),
  enabled: z.optional(z.boolean()),
});

const connectionSchema = z
  .strictObject({
    id: z.optional(identifier('conn')),
    name,
    type: z.string(),
    config: z.record(z.string(), z.unknown()),
  })
  .check(({ value, issues }) => {
    // What POST takes, with the errors of the connection's own type.
    const { id: _, ...input } = value;
    const result = z.safeParse(connectionInputSchema(input), input);
    for (const { message, path } of result.error?.issues ?? []) {
      issues.push({ code: 'custom', message, path: [...path], input: value });
    }
  });

const teamSchema = z.strictObject({ id: z.optional(identifier('team')), name });

const organizationSchema = z.strictObject({
  id: z.optional(identifier('org')),
  name,
  quotas: z.optional(limitsSchema),
  keys: z.optional(z.array(keySchema)),
  connections: z.optional(z.array(connectionSchema)),
  teams: z.optional(z.array(teamSchema)),
});

/** What a seed holds; docs/serve.md describes it. */
export const seedSchema = z.strictObject({
  organizations: z.array(organizationSchema).check(z.minLength(1)),
});

/** What a store begins with [ours]. What is left out has its default, and identifiers and secrets are generated. */
export type Seed = z.infer<typeof seedSchema>;
export type SeedOrganization = Seed['organizations'][number];
