import { isHarmless } from '../../redaction/redact.js';
import { ExactNumber } from '../../text/exact-number.js';
import { z } from '../schema/schema.js';
import type { ConnectionInput, ConnectionPatch, PostgresConfig, PostgresType } from './records.js';
import { nameSchema, type ResourceDeclaration, timestampSchema } from './resource.js';

/** The names under which a PostgreSQL database occurs (reference, section 2). Others are accepted as they come [ours]. */
export const postgresTypes = ['postgresql', 'pg'] as const satisfies readonly PostgresType[];

/** `config` of a PostgreSQL connection (reference, section 2). Further fields pass through. */
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
// A pattern, which a JSON schema can say too: no PostgreSQL connection passes as one of another type.
export const otherTypeSchema = typeSchema.check(z.regex(new RegExp(`^(?!(?:${postgresTypes.join('|')})$)`)));
const otherConnectionSchema = z.object({ name: nameSchema, type: otherTypeSchema, config: anyConfig });

/** The body of `POST /connections` (reference, section 2). Types beside PostgreSQL's take any object as `config` [ours]. */
const connectionInput = z.union([
  postgresConnectionSchema,
  otherConnectionSchema,
]) satisfies z.ZodMiniType<ConnectionInput>;

export type { ConnectionInput, ConnectionPatch };

/** The body of `PATCH /connections/{id}` [ours]: any subset of the POST body. */
const patch = z.partial(z.object({ name: nameSchema, type: typeSchema, config: anyConfig }));

/** `/connections`: list and creation are the reference's (section 4), the rest is ours. */
export const connections = {
  kind: 'connections',
  property: 'connections',
  singular: 'connection',
  plural: 'connections',
  idPrefix: 'conn',
  table: 'connections',
  hasOwnCode: true,
  quota: 10,
  calls: { list: 'ref', create: 'ref', get: 'ours', update: 'ours', delete: 'ours' },
  input: connectionInput,
  inputSource: 'ref',
  inputFor: connectionInputSchema,
  patch,
  // Reference, section 2: only PostgreSQL's settings are shown.
  secretSettings: (type: unknown): readonly string[] => (isPostgres(type) ? ['password'] : []),
  // Of `config` only harmless settings are answered: see `shownConfig`.
  answer: () =>
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      config: anyConfig,
      created_at: timestampSchema(),
      updated_at: timestampSchema(),
    }),
} as const satisfies ResourceDeclaration;

/** Whether a type name means a PostgreSQL database, whose six config fields are checked. */
export function isPostgres(type: unknown): boolean {
  return postgresTypes.some((known) => known === type);
}

/**
 * The settings of a connection that answers show: those that the list of harmless fields has, because a secret may have any
 * name, whatever the type (`redaction/harmless.ts`) [ours].
 */
export function shownConfig(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([name, value]) => isHarmlessSetting(name, value)));
}

/**
 * Whether a setting is known to hold no secret, so that it may be shown, and a service that hides secrets returns it. The
 * one list decides for every type.
 */
export function isHarmlessSetting(name: string, value: unknown): boolean {
  // A number that no double is an object too.
  return isHarmless(name, value instanceof ExactNumber ? 0 : value);
}

/** The schema that fits the body's own `type`, so that its errors speak of that type alone. */
export function connectionInputSchema(body: unknown) {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return isPostgres(type) ? postgresConnectionSchema : otherConnectionSchema;
}
