import type { TableView } from './columns.js';

export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

export interface Surface {
  readonly isTerminal: boolean;
  /** The terminal's width; undefined in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly color: boolean;
  readonly headers?: boolean | undefined;
  /** Number of rows that decide a longer table's layout. */
  readonly layoutRows?: number | undefined;
  /** Gets the headers of columns that do not fit. */
  readonly leftOut?: ((headers: readonly string[]) => void) | undefined;
}

/** An output format. It pulls each row after its last text was taken, so a list of any length uses constant memory. */
export interface Format {
  list<Row>(rows: Rows<Row>, columns: readonly TableView<Row>[]): AsyncIterable<string>;
  /** Formats with rows print `rows` instead. */
  value<Row>(
    value: unknown,
    rows: Iterable<Row>,
    columns: readonly TableView<Row>[],
  ): AsyncIterable<string> | Iterable<string>;
}
