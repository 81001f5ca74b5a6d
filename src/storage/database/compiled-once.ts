import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Tables } from './tables.js';

/** A value that each execution brings. */
type Parameter<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

/** One parameter of a query, from the values of an execution. */
type Read<Values> = (values: Values) => unknown;

/** Queries that are sent again and again, by their text. */
const named = new WeakSet<object>();

/** Whether it is worth keeping a query prepared. */
export function isNamed({ queryId }: CompiledQuery): boolean {
  return named.has(queryId);
}

interface Compiled<Values, Row> {
  readonly query: CompiledQuery<Row>;
  readonly reads: readonly Read<Values>[];
}

/**
 * A query that is built and compiled once for each database, and executed with different values: for an insert,
 * building takes as long as executing. Used for creations, and for each request to a shared database; elsewhere plain
 * queries are easier to read.
 */
export function compiledOnce<Values, Row = unknown>(
  build: (database: Kysely<Tables>, parameter: Parameter<Values>) => Compilable<Row>,
): (database: Kysely<Tables>, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<DialectAdapter, Compiled<Values, Row>>();
  return (database, values) => {
    const { adapter } = database.getExecutor();
    const known = compiled.get(adapter);
    const { query, reads } = known ?? compile(database, build);
    if (known === undefined) {
      compiled.set(adapter, { query, reads });
      named.add(query.queryId);
    }
    return database.executeQuery({ ...query, parameters: reads.map((read) => read(values)) });
  };
}

/** Builds the query with a symbol for each value, to find it among the parameters. */
function compile<Values, Row>(
  database: Kysely<Tables>,
  build: (database: Kysely<Tables>, parameter: Parameter<Values>) => Compilable<Row>,
): Compiled<Values, Row> {
  const readOf = new Map<unknown, Read<Values>>();
  const parameter: Parameter<Values> = (name) => {
    const place = Symbol(String(name));
    readOf.set(place, (values) => values[name]);
    return sql`${place}`;
  };
  const query = build(database, parameter).compile();
  return { query, reads: query.parameters.map((constant) => readOf.get(constant) ?? (() => constant)) };
}
