import type { TableView } from './columns.js';

export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

export interface Surface {
  readonly isTerminal: boolean;
  /** Columns that tables must fit; with `undefined`, nothing is cut. */
  readonly columns: number | undefined;
  readonly color: boolean;
  readonly headers?: boolean | undefined;
  readonly layoutRows?: number | undefined;
  /** Called with the headers of columns that do not fit. */
  readonly leftOut?: ((headers: readonly string[]) => void) | undefined;
}

/** An output format. Pulls a row only after the text of earlier ones was taken, so that memory stays constant. */
export interface Format {
  list<Row>(rows: Rows<Row>, columns: readonly TableView<Row>[]): AsyncIterable<string>;
  /** Formats made of rows print `rows` instead. */
  value<Row>(
    value: unknown,
    rows: Iterable<Row>,
    columns: readonly TableView<Row>[],
  ): AsyncIterable<string> | Iterable<string>;
}
