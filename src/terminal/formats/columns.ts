import type { ChalkInstance } from 'chalk';
import { UsageError } from '../../errors/errors.js';
import { printJson } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';

export interface TableView<Row> {
  readonly header: string;
  readonly value: string | ((row: Row) => unknown);
  readonly align?: 'right';
  /** Cells are never cut; implied by paths such as `id`, `keyId` and `secret`. */
  readonly id?: true;
  /** A narrow terminal omits the highest ranks first, but never rank 0. The text of the lowest rank is cut last. */
  readonly rank?: number;
  /** Prose in the last column, which is never cut: the terminal wraps it. */
  readonly wraps?: true;
  /** The value for CSV, if tables show another one, such as a bar. */
  readonly data?: (row: Row) => unknown;
  /** Draws the cell, such as a bar, narrower, but not below its minimum. */
  readonly within?: (row: Row, columns: number) => string;
  /** Text for tables, such as an age for a timestamp. */
  readonly drawn?: (value: unknown) => string;
  /** Styles a cell; `text` is clean and already cut. */
  readonly style?: (text: string, row: Row, chalk: ChalkInstance) => string;
}

export interface LinePart {
  readonly text: string;
  /** Separator before this part, such as a line break; default: a space. */
  readonly before?: string;
  readonly style?: ((text: string, chalk: ChalkInstance) => string) | undefined;
}

export interface View<Row> {
  readonly columns: readonly TableView<Row>[];
  readonly empty?: string;
  /** Prints rows as blocks of fields, which are never cut. */
  readonly block?: true;
  /** Prints rows as prose instead of a table, unless columns are named. */
  readonly line?: (row: Row) => readonly LinePart[];
  /** Further field names that `--columns` accepts before any row is read. */
  readonly fields?: readonly string[];
  /** Rows may have any field; `--columns` accepts every name. */
  readonly isOpen?: true;
}

/** The columns, or the named ones; an unknown name is a path into the row. */
export function selectColumns<Row>(
  columns: readonly TableView<Row>[],
  names: readonly string[] | undefined,
): readonly TableView<Row>[] {
  const find = (name: string) => columns.find((column) => isNamed(column, name));
  return names?.map((name) => find(name) ?? { header: name, value: name }) ?? columns;
}

export function listEveryColumn<Row>({ columns, fields = [] }: View<Row>): readonly TableView<Row>[] {
  const shown = new Set(columns.map((column) => readRoot(nameField(column))));
  const further = fields.filter((name) => !shown.has(name));
  return [
    ...columns,
    ...further.map((name) => {
      const header = name.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase();
      return { header, value: name };
    }),
  ];
}

/** @throws UsageError that names the unknown column and all known columns */
export function assertKnownColumns<Row>(
  { columns, fields = [] }: View<Row>,
  names: readonly string[] | undefined = [],
): void {
  const known = [...new Set([...columns.map(nameField), ...fields])];
  const roots = new Set(known.map(readRoot));
  const isKnown = (name: string) => roots.has(readRoot(name)) || columns.some((one) => isNamed(one, name));
  const unknown = names.find((name) => !isKnown(name));
  if (unknown === undefined) return;
  throw new UsageError(`--columns: unknown column ${JSON.stringify(unknown)}`, {
    hint: `the columns are ${known.join(', ')}; --query @ shows every field`,
  });
}

function readRoot(path: string): string | undefined {
  return path.split('.', 1)[0];
}

function isNamed<Row>({ header, value }: TableView<Row>, name: string): boolean {
  const names = [header, header.replaceAll(' ', '_'), typeof value === 'string' ? value : header];
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** For rows of unknown shape: a column for each field, and `value` for scalars. */
export function keyColumns(rows: readonly unknown[]): readonly TableView<unknown>[] {
  const keys = new Set(rows.flatMap((row) => (isPlainObject(row) ? Object.keys(row) : [])));
  const columns: TableView<unknown>[] = [...keys].map((key) => ({ header: key, value: key }));
  const scalar = { header: 'value', value: (row: unknown) => (isPlainObject(row) ? undefined : row) };
  return rows.every(isPlainObject) ? columns : [...columns, scalar];
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** The column's name for programs: its path, or else its header as a field name. */
export function nameField<Row>({ header, value }: TableView<Row>): string {
  return typeof value === 'string' ? value : header.toLowerCase().replaceAll(' ', '_');
}

export function cellValue<Row>(row: Row, { value }: TableView<Row>): unknown {
  return typeof value === 'string' ? readValueAt(row, value) : value(row);
}

// A field whose name is the whole path takes precedence. Inherited properties, such as `constructor`, do not count.
function readValueAt(value: unknown, path: string): unknown {
  if (!isPlainObject(value)) return undefined;
  const own = ownValue(value, path);
  const dot = path.indexOf('.');
  if (own !== undefined || dot === -1) return own;
  return readValueAt(ownValue(value, path.slice(0, dot)), path.slice(dot + 1));
}

function ownValue(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return printJson(value);
  return String(value);
}
