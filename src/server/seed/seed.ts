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

/** What a database's integer holds. */
export const limitSchema = z.int().check(z.minimum(0), z.maximum(2_147_483_647));

/** Limits by kind. */
export const limitsSchema = z.partialRecord(z.enum(resourceKinds), limitSchema);

const keySchema = z.strictObject({
  id: keyIdSchema,
  secret: z.optional(secretSchema),
  name: z.optional(name),
  enabled: z.optional(z.boolean()),
});

const connectionShape = z.strictObject({
  id: z.optional(identifier('conn')),
  name,
  type: z.string(),
  config: z.record(z.string(), z.unknown()),
});

/** What POST takes, with the errors of the connection's own type, also when it has others. */
const connectionSchema = z.pipe(
  z.unknown().check(({ value, issues }) => {
    const ofShape = z.safeParse(connectionShape, value).error?.issues ?? [];
    const ofInput = z.safeParse(connectionInputSchema(value), value).error?.issues ?? [];
    const isNew = (issue: z.core.$ZodIssue) =>
      ofShape.every(({ path }) => z.core.toDotPath(path) !== z.core.toDotPath(issue.path));
    for (const issue of [...ofShape, ...ofInput.filter(isNew)]) {
      const { message } = issue;
      const path = [...issue.path];
      if (issue.code === 'unrecognized_keys') {
        issues.push({ code: issue.code, keys: issue.keys, message, path, input: {} });
      } else {
        issues.push({ code: 'custom', message, path, input: value });
      }
    }
  }),
  connectionShape,
);

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
