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

/** By what programs know a resource: its names, and the types of what is sent and answered. */
export interface ResourceTypes {
  readonly kind: string;
  readonly property: string;
  /** Absent where there is no quota. */
  readonly quota?: number;
  readonly hasOwnCode?: true;
  /** The answer to POST; `item` is every other one. */
  readonly created: unknown;
  readonly item: unknown;
  readonly input: { readonly name: string };
  readonly patch: unknown;
}

export interface ApiKeyTypes extends ResourceTypes {
  readonly kind: 'api-keys';
  readonly property: 'apiKeys';
  readonly hasOwnCode: true;
  readonly quota: number;
  readonly created: CreatedApiKey;
  readonly item: ApiKey;
  readonly input: ApiKeyInput;
  readonly patch: ApiKeyPatch;
}

export interface ConnectionTypes extends ResourceTypes {
  readonly kind: 'connections';
  readonly property: 'connections';
  readonly hasOwnCode: true;
  readonly quota: number;
  readonly created: Connection;
  readonly item: Connection;
  readonly input: ConnectionInput;
  readonly patch: ConnectionPatch;
}

export interface TeamTypes extends ResourceTypes {
  readonly kind: 'teams';
  readonly property: 'teams';
  readonly quota: number;
  readonly created: Team;
  readonly item: Team;
  readonly input: TeamInput;
  readonly patch: TeamPatch;
}
