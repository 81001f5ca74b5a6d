import { isHarmless } from '../../redaction/redact.js';
import { ExactNumber } from '../../text/exact-number.js';
import { z } from '../schema/schema.js';
import { connectionInput, connectionInputSchema, connectionPatch } from './connection-schema.js';
import { isPostgres, postgresTypes } from './postgres-type.js';
import type {
  Connection,
  ConnectionInput,
  ConnectionPatch,
  PostgresConfig,
  PostgresType,
} from './records.js';
import { type ResourceDeclaration, timestampSchema } from './resource.js';

export { otherTypeSchema, postgresConfigSchema } from './connection-schema.js';
export { connectionInputSchema, isPostgres, postgresTypes };

/** Defaults of PostgreSQL settings that orgctl's own input may omit. Requests to the API must have these settings. */
export const postgresDefaults = { port: 5432, ssl: true } as const satisfies Partial<PostgresConfig>;

/** Settings that every PostgreSQL connection has, although a service might not show all of them. */
export const postgresEssentials = ['host', 'database', 'user'] as const satisfies (keyof PostgresConfig)[];

export type { ConnectionInput, ConnectionPatch };

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
  get input() {
    return connectionInput;
  },
  inputSource: 'ref',
  inputFor: (body: unknown) => connectionInputSchema(body),
  get patch() {
    return connectionPatch;
  },
  // None for other types: the API reference shows only PostgreSQL's settings.
  secretSettings: (type: unknown): readonly string[] => (isPostgres(type) ? ['password'] : []),
  // `config` has only harmless settings: see `shownConfig`.
  answer: () =>
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      config: z.record(z.string(), z.unknown()),
      created_at: timestampSchema(),
      updated_at: timestampSchema(),
    }),
} as const satisfies ResourceDeclaration;

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
