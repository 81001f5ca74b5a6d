import type { OutputFormat } from '../../api/option-values.js';
import { assertKnownColumns, keyColumns, nameField, type View } from '../formats/columns.js';
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
}
