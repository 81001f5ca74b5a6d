import type { TableView } from './columns.js';

export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

export interface Surface {
  readonly isTerminal: boolean;
  /** The terminal width that tables must fit into; if `undefined`, nothing is cut. */
  readonly columns: number | undefined;
  readonly color: boolean;
  readonly headers?: boolean | undefined;
  readonly layoutRows?: number | undefined;
  /** Called with the headers of columns that do not fit. */
  readonly leftOut?: ((headers: readonly string[]) => void) | undefined;
}

/** An output format. Holds few rows at a time, so that long lists need no more memory. */
export interface Format {
  list<Row>(rows: Rows<Row>, columns: readonly TableView<Row>[]): AsyncIterable<string>;
  /** Row-based formats print `rows` instead. */
  value<Row>(
    value: unknown,
    rows: Iterable<Row>,
    columns: readonly TableView<Row>[],
  ): AsyncIterable<string> | Iterable<string>;
}
