import { createHash } from 'node:crypto';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { isNamedParameter } from '../database/compiled-once.js';
import { endsConnection, lacksPrepared, tellFailure } from './failure.js';

type PostgresRow = Readonly<Record<string, unknown>>;

export interface PostgresQuery {
  readonly sql: string;
  readonly parameters?: readonly unknown[];
  readonly named?: boolean;
}

export class PostgresConnections {
  readonly #pool: Pool;
  readonly place: string;
  readonly #names = new Map<string, string>();
  #keepsStatements = true;

  constructor(pool: Pool, place: string) {
    this.#pool = pool;
    this.place = place;
  }

  async take(): Promise<PooledConnection> {
    try {
      return new PooledConnection(await this.#pool.connect(), this);
    } catch (error) {
      throw tellFailure(error, this.place);
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Names a prepared statement after its text, so that servers can share a connection through a pooler. */
  nameOf(text: string): string | undefined {
    if (!this.#keepsStatements) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `orgctl_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }

  told(error: unknown): unknown {
    // A pooler shares the connection: continue without prepared statements.
    if (lacksPrepared(error)) this.#keepsStatements = false;
    return tellFailure(error, this.place);
  }
}

/** A checked-out connection. After a failure that makes it unusable, it is closed instead of returned to the pool. */
export class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #connections: PostgresConnections;
  #released = false;
  /** Finds the outcome of the open transaction if the connection is lost (`transaction.ts`). */
  transactionId: string | undefined;

  constructor(client: PoolClient, connections: PostgresConnections) {
    this.#client = client;
    this.#connections = connections;
  }

  async executeQuery<Answer>(query: CompiledQuery): Promise<QueryResult<Answer>> {
    const { rows, rowCount } = await this.#send({ ...query, named: isNamedParameter(query) });
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /** Sends all queries at once. @throws the first failure */
  async executeTogether<Answer extends PostgresRow = PostgresRow>(
    queries: readonly PostgresQuery[],
  ): Promise<PgResult<Answer>[]> {
    const sent = await Promise.allSettled(queries.map((query) => this.#send(query)));
    return sent.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  async executeScript(sql: string): Promise<void> {
    await this.#send({ sql });
  }

  streamQuery(): never {
    throw new Error('query results cannot be streamed');
  }

  get isLost(): boolean {
    return this.#released;
  }

  release(): void {
    this.#giveBack(false);
  }

  async #send({ sql, parameters = [], named = false }: PostgresQuery) {
    const name = named ? this.#connections.nameOf(sql) : undefined;
    try {
      return await this.#client.query({ text: sql, values: [...parameters], ...(name && { name }) });
    } catch (error) {
      // Frees a place in the pool for the query that finds the transaction's outcome.
      if (endsConnection(error)) this.#giveBack(true);
      throw this.#connections.told(error);
    }
  }

  #giveBack(broken: boolean): void {
    if (this.#released) return;
    this.#released = true;
    this.#client.release(broken);
  }
}
