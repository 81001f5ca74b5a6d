import { createHash } from 'node:crypto';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { QueryResult as PgResult, Pool, PoolClient } from 'pg';
import { isNamedParameter } from '../database/compiled-once.js';
import { endsConnection, lacksPrepared, tellFailure } from './failure.js';

type PostgresRow = Readonly<Record<string, unknown>>;

/** One query of several that are sent together. */
export interface PostgresQuery {
  readonly sql: string;
  readonly parameters?: readonly unknown[];
  /** Whether the connection is to keep it prepared: for those that are sent again and again. */
  readonly named?: boolean;
}

/** The connections of one server to its database. */
export class PostgresConnections {
  readonly #pool: Pool;
  /** The database as errors name it. */
  readonly place: string;
  readonly #names = new Map<string, string>();
  #keepsStatements = true;

  constructor(pool: Pool, place: string) {
    this.#pool = pool;
    this.place = place;
  }

  /** @throws StoreUnavailable when none can be had. */
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

  /**
   * The name under which a statement is kept, if statements are. It comes from the text: whoever shares the connections of a
   * pooler has another text under another name.
   */
  nameOf(text: string): string | undefined {
    if (!this.#keepsStatements) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `orgctl_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }

  /** What is to be thrown for an error of the driver. */
  told(error: unknown): unknown {
    // A pooler hands the connection round without what was prepared on it: what comes next does without.
    if (lacksPrepared(error)) this.#keepsStatements = false;
    return tellFailure(error, this.place);
  }
}

/** A connection of a pool, taken for a while. Once it has failed it is given up, and no other request gets it. */
export class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #connections: PostgresConnections;
  #released = false;
  /** The transaction that is open, by which its outcome can be asked for; see `transaction.ts`. */
  transactionId: string | undefined;

  constructor(client: PoolClient, connections: PostgresConnections) {
    this.#client = client;
    this.#connections = connections;
  }

  async executeQuery<Answer>(query: CompiledQuery): Promise<QueryResult<Answer>> {
    const { rows, rowCount } = await this.#send({ ...query, named: isNamedParameter(query) });
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /**
   * Sends queries in one go, without waiting for the answer to one before the next; the results of each.
   * @throws what the first one that failed did
   */
  async executeTogether<Answer extends PostgresRow = PostgresRow>(
    queries: readonly PostgresQuery[],
  ): Promise<PgResult<Answer>[]> {
    const sent = await Promise.allSettled(queries.map((query) => this.#send(query)));
    return sent.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
  }

  /** Several statements in one message, without parameters. */
  async executeScript(sql: string): Promise<void> {
    await this.#send({ sql });
  }

  streamQuery(): never {
    throw new Error('no query of this program is read as a stream');
  }

  /** Whether it has failed, so that what was sent last may have been done. */
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
      // At once, so that whoever asks what became of the transaction finds room in the pool.
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
