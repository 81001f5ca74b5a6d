import { nameSchema, z } from '../schema/schema.js';
import { isPostgres, postgresTypes } from './postgres-type.js';
import type { ConnectionInput, PostgresConfig } from './records.js';

export const postgresConfigSchema = z.looseObject({
  host: z.string().check(z.minLength(1)),
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  database: z.string().check(z.minLength(1)),
  user: z.string().check(z.minLength(1)),
  password: z.string(),
  ssl: z.boolean(),
}) satisfies z.ZodMiniType<PostgresConfig>;

const typeSchema = z.string().check(z.minLength(1), z.maxLength(64));
const anyConfig = z.record(z.string(), z.unknown());

const postgresConnectionSchema = z.object({
  name: nameSchema,
  type: z.enum(postgresTypes),
  config: postgresConfigSchema,
});
// Prevents a PostgreSQL connection from passing as another type. A pattern, because JSON Schema can express it.
export const otherTypeSchema = typeSchema.check(z.regex(new RegExp(`^(?!(?:${postgresTypes.join('|')})$)`)));
const otherConnectionSchema = z.object({ name: nameSchema, type: otherTypeSchema, config: anyConfig });

export const connectionInput = z.union([
  postgresConnectionSchema,
  otherConnectionSchema,
]) satisfies z.ZodMiniType<ConnectionInput>;

export const connectionPatch = z.partial(z.object({ name: nameSchema, type: typeSchema, config: anyConfig }));

/** The schema for the body's `type`, so that errors refer only to that type. */
export function connectionInputSchema(body: unknown) {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return isPostgres(type) ? postgresConnectionSchema : otherConnectionSchema;
}
