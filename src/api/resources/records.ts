/**
 * The resources as programs see them. What the API reference does not show is [ours] and what the embedded service
 * answers; another one may leave such fields out. Fields that a service adds pass through.
 *
 * They are written out, not inferred, so that users need no zod to compile; each schema is checked against its type.
 */

/** The names under which a PostgreSQL database occurs (reference, section 2). */
export type PostgresType = 'postgresql' | 'pg';

/** `config` of a PostgreSQL connection (reference, section 2). */
export interface PostgresConfig {
  readonly host: string;
  /** From 1 to 65535. */
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly ssl: boolean;
}

/** `config` of a connection of this type: PostgreSQL's is checked, others are any JSON object [ours]. */
export type ConnectionConfig<Type extends string = string> = Type extends PostgresType
  ? PostgresConfig
  : { readonly [setting: string]: unknown };

/** The body of `POST /connections` (reference, section 2). */
export type ConnectionInput<Type extends string = string> = {
  /** From 1 to 255 characters. */
  readonly name: string;
  readonly type: Type;
  readonly config: ConnectionConfig<Type>;
};

/** The body of `PATCH /connections/{id}` [ours]; what is left out stays, of `config` each setting for itself. */
export interface ConnectionPatch {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly config?: (Partial<PostgresConfig> & { readonly [setting: string]: unknown }) | undefined;
}

/** A connection [ours]. */
export interface Connection {
  /** Begins with `conn_`. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Of PostgreSQL all but the password; of other types what is known to be harmless. */
  readonly config: { readonly [setting: string]: unknown };
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601. */
  readonly updated_at: string;
  readonly [field: string]: unknown;
}

/** The body of `POST /api-keys`, of which the API reference shows no field. */
export interface ApiKeyInput {
  /** From 1 to 255 characters. */
  readonly name: string;
  /** Default: true. A key that is created disabled is enabled in the management console alone. */
  readonly enabled?: boolean | undefined;
}

/** The body of `PATCH /api-keys/{id}` [ours]; what is left out stays. */
export interface ApiKeyPatch {
  readonly name?: string | undefined;
  /** A key is enabled again in the management console alone (reference, section 3). */
  readonly enabled?: false | undefined;
}

/** An API key (reference, section 2); `name` and `created_at` are ours. */
export interface ApiKey {
  /** Begins with `key_`. */
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** ISO 8601; null before the first use. */
  readonly last_used_at: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  readonly [field: string]: unknown;
}

/** The answer to `POST /api-keys`. */
export interface CreatedApiKey extends ApiKey {
  /** 64 characters, and never shown again [ours]; keep it before anything else is done. */
  readonly secret: string;
}

/** The body of `POST /teams` [ours]. */
export interface TeamInput {
  /** From 1 to 255 characters. */
  readonly name: string;
}

/** The body of `PATCH /teams/{id}` [ours]; what is left out stays. */
export interface TeamPatch {
  readonly name?: string | undefined;
}

/** A team [ours]. */
export interface Team {
  /** Begins with `team_`. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601. */
  readonly updated_at: string;
  readonly [field: string]: unknown;
}

/** The resource kinds that have a quota (reference, section 8). */
export type QuotaKind = 'api-keys' | 'connections' | 'teams';

/**
 * One kind's quota (reference, section 2), in resources: `remaining` = `limit` - `used`. Where a service sets no limit, both
 * are `Infinity`.
 */
export interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly [field: string]: unknown;
}

/** The quota record: one object keyed by resource kind, such as `api-keys` (reference, section 2). */
export interface QuotaRecord {
  readonly [kind: string]: Quota;
}
