import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { endsConnection, toldOf } from './failure.js';

/** A connection of a pool, taken for a while. Once it has failed it is given up, and no other request gets it. */
export class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #place: string;
  #released = false;
  /** The transaction that is open, by which its outcome can be asked for; see `PostgresDriver`. */
  transactionId: string | undefined;

  private constructor(client: PoolClient, place: string) {
    this.#client = client;
    this.#place = place;
  }

  /** @throws StoreUnavailable when none can be had. */
  static async take(pool: Pool, place: string): Promise<PooledConnection> {
    try {
      return new PooledConnection(await pool.connect(), place);
    } catch (error) {
      throw toldOf(error, place);
    }
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.#attempt(() => this.#client.query(sql, [...parameters]));
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /** Several statements in one message, without parameters; the rows of the last one. */
  async executeScript(sql: string): Promise<readonly Record<string, unknown>[]> {
    const results: unknown = await this.#attempt(() => this.#client.query(sql));
    const last: unknown = Array.isArray(results) ? results.at(-1) : results;
    return typeof last === 'object' && last !== null && 'rows' in last && Array.isArray(last.rows)
      ? last.rows
      : [];
  }

  streamQuery(): never {
    throw new Error('no query of this program is read as a stream');
  }

  release(): void {
    this.#giveBack(false);
  }

  async #attempt<Result>(query: () => Promise<Result>): Promise<Result> {
    try {
      return await query();
    } catch (error) {
      // At once, so that whoever asks what became of the transaction finds room in the pool.
      if (endsConnection(error)) this.#giveBack(true);
      throw toldOf(error, this.#place);
    }
  }

  #giveBack(broken: boolean): void {
    if (this.#released) return;
    this.#released = true;
    this.#client.release(broken);
  }
}
