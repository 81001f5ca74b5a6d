import { Kysely, PostgresDialect, sql } from 'kysely';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { resources } from '../../api/resources/index.js';
import { ConfigError, readMessage } from '../../errors/errors.js';
import { isLoopback } from '../../text/base-url.js';
import { parsePostgresUrl, unknownParameter } from '../../text/postgres-url.js';
import { ConnectionLost, type Engine, OutcomeUnknown, StoreUnavailable } from '../engine.js';
import type { Tables } from '../tables.js';

/** By default, PostgreSQL allows all its clients together 100 connections. */
const poolSize = 10;

/** The lock lasts for a transaction, because a pooler may share sessions. */
const startLock = 7_205_759_003;

const postgresHint = 'check that the database runs and that its URL is right';

/** @throws ConfigError, without the password, for an unusable URL */
export async function openPostgres(text: string): Promise<Engine> {
  const { connectionString, place } = readDatabaseUrl(text);
  const pool = openPool(connectionString, place);
  const connect = () =>
    pool.connect().catch((cause: unknown) => {
      throw new StoreUnavailable(place, readMessage(cause), { cause });
    });
  const dialect = new PostgresDialect({ pool: { connect, end: () => pool.end() } });
  const database = new Kysely<Tables>({ dialect });
  const write: Engine['write'] = (work) => {
    let isCommitting = false;
    const transaction = database.transaction().execute(async (own) => {
      const result = await work(own);
      isCommitting = true;
      return result;
    });
    return transaction.catch((error: unknown) => {
      if (isCommitting) throwLost(error);
      throw error;
    });
  };
  return {
    database,
    place: `postgres://${place}`,
    exclusive: false,
    types: { bytes: 'bytea', sequence: 'bigint primary key generated always as identity' },
    write,
    writeOnce: (work) => work(database).catch(throwLost),
    writeAlone: (work) =>
      write(async (own) => {
        await lockAll.execute(own);
        return work(own);
      }),
    readSnapshot: (work) =>
      database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    alone: (work) =>
      database.transaction().execute(async (own) => {
        // A start holds its lock longer than other work does.
        await sql`select set_config('idle_in_transaction_session_timeout', '60000', true),
          set_config('lock_timeout', '9000', true)`.execute(own);
        await sql`select pg_advisory_xact_lock(${sql.lit(startLock)})`.execute(own);
        return work();
      }),
    async requireReady() {
      const setting = sql<{ value: string }>`select current_setting('transaction_read_only') as value`;
      const { rows } = await setting.execute(database);
      if (rows[0]?.value !== 'off') throw new StoreUnavailable(place, 'it is read-only');
    },
    close: () => database.destroy(),
    hint: postgresHint,
  };
}

const urlParameters: ReadonlySet<string> = new Set(
  'application_name host options port sslcert sslkey sslmode sslrootcert user'.split(' '),
);

/**
 * Checks a URL for `pg`, which ignores unknown parameters. Other machines need TLS by default. `place` has no password.
 * @throws ConfigError that does not quote the URL
 */
function readDatabaseUrl(text: string) {
  const refuse = (what: string, hint: string) => new ConfigError(`the database's URL: ${what}`, { hint });
  const url = parsePostgresUrl(text, refuse);
  const unknown = unknownParameter(url, urlParameters);
  if (unknown !== undefined) {
    const supported = `supported: ${[...urlParameters].join(', ')}`;
    const hint = `remove it; ${supported}; a password belongs in PGPASSWORD or before the @`;
    throw refuse(`it has an unknown parameter: ${unknown}`, hint);
  }
  const { parameters, database } = url;
  const host = parameters.get('host') ?? url.host ?? 'localhost';
  const port = parameters.get('port') ?? url.port;
  const isLocal = host.startsWith('/') || isLoopback(host);
  const mode = parameters.get('sslmode') ?? (isLocal ? 'disable' : 'require');
  if (!/^(?:disable|require|verify-ca|verify-full)$/.test(mode))
    throw refuse('its sslmode is unknown', 'use one of disable, require, verify-ca, verify-full');
  // `uselibpqcompat` gives the modes libpq's meaning.
  const added = `${parameters.has('sslmode') ? '' : `sslmode=${mode}&`}uselibpqcompat=true`;
  const place = [host, port && `:${port}`, database && `/${database}`].join('');
  return { connectionString: `${text}${text.includes('?') ? '&' : '?'}${added}`, place };
}

/** Locks in the same order as writers, so that there is no deadlock. Reads go on. */
const lockAll = sql`lock table ${sql.join(
  ['quotas', ...resources.map(({ table }) => table), 'organizations'].map((table) => sql.table(table)),
)} in exclusive mode`;

function throwLost(error: unknown): never {
  throw error instanceof ConnectionLost ? new OutcomeUnknown(error.place, error) : error;
}

function openPool(connectionString: string, place: string): Pool {
  const pool = new Pool({
    connectionString,
    max: poolSize,
    application_name: 'orgctl',
    connectionTimeoutMillis: 5000,
    // Longer than any wait for a lock, so that only a hanging database should exceed it.
    query_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // A hung server or lost machine must not keep its locks. By a query: poolers refuse startup parameters.
    onConnect: async (client) => {
      await client.query("set lock_timeout = '3s'; set idle_in_transaction_session_timeout = '10s'");
    },
  });
  // The pool replaces idle connections that break.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => reportFailures(client, place));
  return pool;
}

function reportFailures(client: PoolClient, place: string): void {
  // The current or next query reports the error.
  client.on('error', () => undefined);
  const query = client.query.bind(client);
  Object.assign(client, {
    query: (text: string, parameters: unknown[]) =>
      query(text, parameters).catch((error: unknown) => {
        const isEnding = error instanceof DatabaseError && endings.test(error.code ?? '');
        if (isEnding || isFatal(error)) void client.end().catch(() => undefined);
        throw tellFailure(error, place);
      }),
  });
}

/** Codes of failures that the query did not cause. 23503: all content was replaced. */
const failureCodes = /^(08|23503|25006|28|3D|40|53|55|57|58|XX)/;

/** Codes after which the connection is unusable. */
const endings = /^(08|25006|57P|58|XX)/;

function isFatal(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC';
}

/** The error to throw; mistakes in our code stay as they are. */
function tellFailure(error: unknown, place: string): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (isFatal(error)) return new ConnectionLost(place, readMessage(error), { cause: error });
  const isFailure = error instanceof DatabaseError && failureCodes.test(error.code ?? '');
  return isFailure ? new StoreUnavailable(place, readMessage(error), { cause: error }) : error;
}
