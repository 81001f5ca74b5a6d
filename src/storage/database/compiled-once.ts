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

type QueryParameter<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

type ReadRows<Values> = (values: Values) => unknown;

const namedParameters = new WeakSet<object>();

export function isNamedParameter({ queryId }: CompiledQuery): boolean {
  return namedParameters.has(queryId);
}

interface CompiledOnce<Values, Row> {
  readonly query: CompiledQuery<Row>;
  readonly reads: readonly ReadRows<Values>[];
}

/** Compiles a query once per database, because building it can take as long as running it. */
export function compiledOnce<Values, Row = unknown>(
  build: (database: Kysely<Tables>, parameter: QueryParameter<Values>) => Compilable<Row>,
): (database: Kysely<Tables>, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<DialectAdapter, CompiledOnce<Values, Row>>();
  return (database, values) => {
    const { adapter } = database.getExecutor();
    const known = compiled.get(adapter);
    const { query, reads } = known ?? compile(database, build);
    if (known === undefined) {
      compiled.set(adapter, { query, reads });
      namedParameters.add(query.queryId);
    }
    return database.executeQuery({ ...query, parameters: reads.map((read) => read(values)) });
  };
}

function compile<Values, Row>(
  database: Kysely<Tables>,
  build: (database: Kysely<Tables>, parameter: QueryParameter<Values>) => Compilable<Row>,
): CompiledOnce<Values, Row> {
  const readOf = new Map<unknown, ReadRows<Values>>();
  const parameter: QueryParameter<Values> = (name) => {
    const place = Symbol(String(name));
    readOf.set(place, (values) => values[name]);
    return sql`${place}`;
  };
  const query = build(database, parameter).compile();
  return { query, reads: query.parameters.map((constant) => readOf.get(constant) ?? (() => constant)) };
}
