import type { TableView } from './columns.js';

export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

export interface Surface {
  readonly isTerminal: boolean;
  /** The terminal's width; `undefined` in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly color: boolean;
  readonly headers?: boolean | undefined;
  readonly layoutRows?: number | undefined;
  /** Gets the headers of columns that do not fit. */
  readonly leftOut?: ((headers: readonly string[]) => void) | undefined;
}

/** An output format. Pulls each row after the last one's text was taken, so memory stays constant. */
export interface Format {
  list<Row>(rows: Rows<Row>, columns: readonly TableView<Row>[]): AsyncIterable<string>;
  /** Formats with rows print `rows` instead. */
  value<Row>(
    value: unknown,
    rows: Iterable<Row>,
    columns: readonly TableView<Row>[],
  ): AsyncIterable<string> | Iterable<string>;
}
