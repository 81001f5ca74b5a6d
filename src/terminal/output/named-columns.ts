import type { OutputFormat } from '../../api/option-values.js';
import {
  assertKnownColumns,
  cellValue,
  keyColumns,
  nameField,
  selectColumns,
  type TableView,
  type View,
} from '../formats/columns.js';
import type { Rows } from '../formats/format.js';
import { assertApplies, type CompiledExpression } from '../query/query.js';

interface NamingOptions {
  readonly columns?: readonly string[] | undefined;
  readonly format: OutputFormat;
  readonly query?: CompiledExpression | undefined;
}

/** Checks whether rows have the columns that `--columns` names. */
export class NamedColumns {
  readonly #query: CompiledExpression | undefined;
  readonly #names: readonly string[] | undefined;
  #isChecked = false;

  constructor({ columns, format, query }: NamingOptions) {
    this.#query = query;
    this.#names = format === 'table' || format === 'csv' ? columns : undefined;
  }

  /** Checks the columns or, if there is a query, tries the query on the view's example. @throws UsageError */
  check<Row>(view: View<Row>, shape: 'value' | 'list'): void {
    this.#isChecked = true;
    if (this.#query === undefined) assertKnownColumns(view, this.#names);
    else if (view.example !== undefined) assertApplies(this.#query, view.example, shape === 'list');
  }

  /** Checks the columns if `check` was not called. Also accepts fields of an array of rows. @throws UsageError */
  assertKnown<Row>({ columns, fields = [], isOpen }: View<Row>, rows: Rows<Row>): void {
    if (this.#isChecked || isOpen || this.#query !== undefined) return;
    const own = Array.isArray(rows) ? keyColumns(rows).map(nameField) : [];
    assertKnownColumns({ columns, fields: [...fields, ...own] }, this.#names);
  }

  /** @param first rows that determine the columns @param rows rows already read */
  missing(first: readonly unknown[], rows: readonly unknown[] = []): MissingColumns {
    const missing = new MissingColumns(this.#names && selectColumns(keyColumns(first), this.#names));
    for (const row of rows) missing.see(row);
    return missing;
  }
}

/** Named columns that no row has had so far. */
export class MissingColumns {
  #missing: readonly TableView<unknown>[];
  #hasRows = false;

  constructor(columns: readonly TableView<unknown>[] = []) {
    this.#missing = columns;
  }

  see(row: unknown): void {
    this.#hasRows = true;
    if (this.#missing.length === 0) return;
    this.#missing = this.#missing.filter((column) => cellValue(row, column) === undefined);
  }

  async *watch<Row>(rows: Rows<Row>): AsyncGenerator<Row> {
    for await (const row of rows) {
      this.see(row);
      yield row;
    }
  }

  describe(): readonly string[] {
    if (!this.#hasRows || this.#missing.length === 0) return [];
    const names = this.#missing.map(({ header }) => JSON.stringify(header)).join(', ');
    return [`no row has the column${this.#missing.length === 1 ? '' : 's'} ${names}`];
  }
}
