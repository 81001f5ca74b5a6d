import { CompiledQuery, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { Client, Pool, type PoolConfig } from 'pg';
import { ConfigError, readMessage } from '../../errors/errors.js';
import { StoreUnavailable } from '../database/store-unavailable.js';
import type { Engine } from '../engine/engine.js';
import { advisoryLock, hold } from './advisory-lock.js';
import { PostgresConnections } from './connection.js';
import { type ConnectionUrl, parseConnectionUrl } from './connection-url.js';
import { createTogether } from './create-together.js';
import { PostgresDriver } from './driver.js';
import { holdingStartLock } from './start-lock.js';
import { type Encryption, encryptions } from './tls.js';

/** More connections would not be faster, and by default, PostgreSQL allows only 100 for all its clients together. */
const poolSize = 10;

const postgresHint = 'check that the database runs and that its URL is right';

/** The first version with `pg_xact_status(pg_current_xact_id())`. */
const oldestVersion = 130_000;

/** Needs PostgreSQL 13 or later. @throws ConfigError, without the password, if the database is not usable */
export async function openPostgres(text: string): Promise<Engine> {
  const url = parseConnectionUrl(text);
  const pool = new Pool({ ...(await tryReach(url)), max: poolSize, pipeline: true });
  // The pool replaces idle connections that break.
  pool.on('error', () => undefined);
  // On a checked-out connection, the current or next query reports the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connections = new PostgresConnections(pool, url.place);
  return {
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PostgresDriver(connections),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    place: `postgres://${url.place}`,
    exclusive: false,
    bytes: 'bytea',
    counter: 'bigint',
    sequence: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
    lockSchema: (transaction) => hold(advisoryLock.schema, (query) => transaction.executeQuery(query)),
    alone: (work) => holdingStartLock(connections, work),
    async requireReady(database) {
      const { rows } = await database.executeQuery<{ setting: string }>(readOnly);
      if (rows[0]?.setting !== 'off') throw new StoreUnavailable(url.place, 'it is read-only');
    },
    createTogether: (fence) => createTogether(connections, fence),
    hint: postgresHint,
  };
}

const readOnly = CompiledQuery.raw("select current_setting('transaction_read_only') as setting");

async function tryReach(url: ConnectionUrl): Promise<PoolConfig> {
  let failure: unknown;
  for (const encryption of await encryptions(url)) {
    const config = poolConfig(url, encryption);
    const client = new Client(config);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await requireUsable(client, url.place);
      return config;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      failure = error;
    } finally {
      await client.end();
    }
  }
  throw new ConfigError(`the database at ${url.place} cannot be used: ${readMessage(failure)}`, {
    hint: postgresHint,
    cause: failure,
  });
}

function poolConfig(
  { host, port, database, user, password, timeout, parameters }: ConnectionUrl,
  ssl: Encryption,
): PoolConfig {
  return {
    host,
    ...(port !== undefined && { port }),
    ...(database !== undefined && { database }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(parameters.has('options') && { options: parameters.get('options') }),
    application_name: parameters.get('application_name') ?? 'orgctl',
    ssl,
    connectionTimeoutMillis: timeout,
    // Longer than any wait for a lock, so that only a hanging database should exceed it.
    query_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
  };
}

async function requireUsable(client: Client, place: string): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  );
  const { version = 0, encoding = 'none' } = rows[0] ?? {};
  if (version < oldestVersion) {
    throw new ConfigError(`the database at ${place} is older than PostgreSQL 13`);
  }
  if (encoding !== 'UTF8') {
    throw new ConfigError(
      `the database at ${place} has the encoding ${encoding}, which cannot represent every name`,
      {
        hint: 'create it with: CREATE DATABASE orgctl ENCODING UTF8 TEMPLATE template0',
      },
    );
  }
}
