import type { Column } from './columns.js';

/** Rows at hand, or rows that are still arriving. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Where a format's text goes. */
export interface Surface {
  readonly isTerminal: boolean;
  /** The terminal's width; undefined in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly color: boolean;
  /** Whether rows begin with a header line; default: true. */
  readonly headers?: boolean | undefined;
  /** The number of rows that decide the layout of a longer table; the format has a default. */
  readonly layoutRows?: number | undefined;
  /** Gets the headers of columns that do not fit. */
  readonly leftOut?: ((headers: readonly string[]) => void) | undefined;
}

/**
 * An output format: data in, pieces of text out. It reads a row only when the text before it was taken, and keeps
 * none, so that a list of any length passes in flat memory.
 */
export interface Format {
  /** A list; `columns` matter to formats that show rows. */
  list<Row>(rows: Rows<Row>, columns: readonly Column<Row>[]): AsyncIterable<string>;
  /** One value; formats that show rows print its `rows` in its place. */
  value<Row>(
    value: unknown,
    rows: readonly Row[],
    columns: readonly Column<Row>[],
  ): AsyncIterable<string> | Iterable<string>;
}
