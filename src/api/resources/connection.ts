import { once } from '../../platform/once.js';
import { isHarmless } from '../../redaction/redact.js';
import { ExactNumber } from '../../text/exact-number.js';
import { z } from '../schema/schema.js';
import type { Connection, ConnectionInput, PostgresConfig, PostgresType } from './records.js';
import { nameSchema, type ResourceDeclaration, timestampSchema } from './resource.js';

/** Values of `type` for PostgreSQL. The settings of other types are not checked. */
export const postgresTypes = ['postgresql', 'pg'] as const satisfies readonly PostgresType[];

export const postgresConfigSchema = once(
  () =>
    z.looseObject({
      host: z.string().check(z.minLength(1)),
      port: z.int().check(z.minimum(1), z.maximum(65_535)),
      database: z.string().check(z.minLength(1)),
      user: z.string().check(z.minLength(1)),
      password: z.string(),
      ssl: z.boolean(),
    }) satisfies z.ZodMiniType<PostgresConfig>,
);

/** Defaults of PostgreSQL settings that orgctl's own input may omit. Requests to the API must have these settings. */
export const postgresDefaults = { port: 5432, ssl: true } as const satisfies Partial<PostgresConfig>;

/** Settings that every PostgreSQL connection has, although a service might not show all of them. */
export const postgresEssentials = ['host', 'database', 'user'] as const satisfies (keyof PostgresConfig)[];

const typeSchema = () => z.string().check(z.minLength(1), z.maxLength(64));
const anyConfig = () => z.record(z.string(), z.unknown());

const postgresConnectionSchema = once(() =>
  z.object({ name: nameSchema(), type: z.enum(postgresTypes), config: postgresConfigSchema() }),
);
// Prevents a PostgreSQL connection from passing as another type. A pattern, because JSON Schema can express it.
export const otherTypeSchema = () =>
  typeSchema().check(z.regex(new RegExp(`^(?!(?:${postgresTypes.join('|')})$)`)));
const otherConnectionSchema = once(() =>
  z.object({ name: nameSchema(), type: otherTypeSchema(), config: anyConfig() }),
);
const connectionInput = once(
  () =>
    z.union([postgresConnectionSchema(), otherConnectionSchema()]) satisfies z.ZodMiniType<ConnectionInput>,
);
const connectionPatch = once(() =>
  z.partial(z.object({ name: nameSchema(), type: typeSchema(), config: anyConfig() })),
);

export const connections = {
  kind: 'connections',
  property: 'connections',
  singular: 'connection',
  plural: 'connections',
  idPrefix: 'conn',
  table: 'connections',
  hasOwnCode: true,
  quota: 10,
  get input() {
    return connectionInput();
  },
  inputFor: connectionInputSchema,
  get patch() {
    return connectionPatch();
  },
  // None for other types: the API reference shows only PostgreSQL's settings.
  secretSettings: (type: unknown): readonly string[] => (isPostgres(type) ? ['password'] : []),
  // `config` has only harmless settings: see `shownConfig`.
  answer: () =>
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      config: anyConfig(),
      created_at: timestampSchema(),
      updated_at: timestampSchema(),
    }),
} as const satisfies ResourceDeclaration;

export function isPostgres(type: unknown): boolean {
  return postgresTypes.some((known) => known === type);
}

/** Whether a connection is to a PostgreSQL database, whose settings are typed. */
export function isPostgresConnection(connection: Connection): connection is Connection<PostgresType> {
  return isPostgres(connection.type);
}

/** Keeps only settings listed as harmless (`redaction/harmless.ts`), because a secret may have any name. */
export function shownConfig(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([name, value]) => isHarmlessSetting(name, value)));
}

/** Whether a setting may be shown, whatever the type of its connection. */
export function isHarmlessSetting(name: string, value: unknown): boolean {
  // An ExactNumber is an object, but counts as a number.
  return isHarmless(name, value instanceof ExactNumber ? 0 : value);
}

/** The schema for the body's `type`, so that errors refer only to that type. */
export function connectionInputSchema(body: unknown) {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return isPostgres(type) ? postgresConnectionSchema() : otherConnectionSchema();
}
