/**
 * Resources as programs see them. Fields missing from the API reference are the embedded service's; another service may
 * omit them. Unknown fields are kept but have no type, so that misspelled names do not compile.
 *
 * `orgctl/client` exports all. Not inferred from the schemas, which are checked against them: users need no zod to compile.
 */

/** Values of `type` for a PostgreSQL database. */
export type PostgresType = 'postgresql' | 'pg';

/** `config` of a PostgreSQL connection. */
export interface PostgresConfig {
  readonly host: string;
  /** From 1 to 65535. */
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly ssl: boolean;
}

/** `config` by type: six settings for PostgreSQL, any JSON object for other types. */
export type ConnectionConfig<Type extends string = string> = Type extends PostgresType
  ? PostgresConfig
  : { readonly [setting: string]: unknown };

/** The body of `POST /connections`. */
export type ConnectionInput<Type extends string = string> = {
  /** 1 to 255 characters, not only whitespace. */
  readonly name: string;
  readonly type: Type;
  readonly config: ConnectionConfig<Type>;
};

/** The body of `PATCH /connections/{id}`; omitted fields are unchanged. */
export interface ConnectionPatch<Type extends string = string> {
  readonly name?: string | undefined;
  readonly type?: Type | undefined;
  readonly config?: Partial<ConnectionConfig<Type>> | undefined;
}

/** `config` as returned. PostgreSQL: all but the password. Other types: only settings known to be harmless. */
export type ShownConfig<Type extends string = string> = Type extends PostgresType
  ? Omit<PostgresConfig, 'password'>
  : { readonly [setting: string]: unknown };

/** A connection; `isPostgresConnection` says whether it is a PostgreSQL connection. */
export interface Connection<Type extends string = string> {
  readonly id: string;
  readonly name: string;
  readonly type: Type;
  readonly config: ShownConfig<Type>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The body of `POST /api-keys`. */
export interface ApiKeyInput {
  readonly name: string;
  /** Default: true. The API cannot enable a disabled key. */
  readonly enabled?: boolean | undefined;
}

/** The body of `PATCH /api-keys/{id}`; omitted fields are unchanged. */
export interface ApiKeyPatch {
  readonly name?: string | undefined;
  /** The API can only disable a key. */
  readonly enabled?: false | undefined;
}

/** An API key. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** ISO 8601; null before the first use. */
  readonly last_used_at: string | null;
  readonly created_at: string;
}

/** The response to `POST /api-keys`. */
export interface CreatedApiKey extends ApiKey {
  /** 64 characters, in this response only: store it. */
  readonly secret: string;
}

/** The body of `POST /teams`. */
export interface TeamInput {
  readonly name: string;
}

/** The body of `PATCH /teams/{id}`; omitted fields are unchanged. */
export interface TeamPatch {
  readonly name?: string | undefined;
}

/** A team. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One kind's quota: `remaining` = `limit` - `used`. Without a limit, `limit` and `remaining` are `Infinity`. */
export interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/** Quotas by kind, such as `api-keys`. */
export interface QuotaRecord {
  readonly [kind: string]: Quota;
}
