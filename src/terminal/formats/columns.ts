import type { ChalkInstance } from 'chalk';
import { UsageError } from '../../errors/errors.js';
import { printJson } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';

/** One column of a table or CSV file. */
export interface Column<Row> {
  readonly header: string;
  /** A dotted path into the row, or what computes the cell. */
  readonly value: string | ((row: Row) => unknown);
  readonly align?: 'right';
  /** Holds IDs, which are never cut; known by itself where the path is `id`, `keyId` or the like. */
  readonly id?: true;
  /** The value for programs, in CSV, where the cell is drawn for people. */
  readonly data?: (row: Row) => unknown;
  /**
   * Draws the cell within so many columns, or the fewest that it needs: for a bar and the like, which gives way before
   * any text is cut.
   */
  readonly within?: (row: Row, columns: number) => string;
  /** How people read the value, in tables: an age for a timestamp. */
  readonly drawn?: (value: unknown) => string;
  /** Styles a cell of a coloured table; `text` is clean and already cut to its width. */
  readonly style?: (text: string, row: Row, chalk: ChalkInstance) => string;
}

/** A part of a line of prose; the parts are separated by a blank. */
export interface LinePart {
  readonly text: string;
  /** Styles it where there is colour; `text` is clean. */
  readonly style?: ((text: string, chalk: ChalkInstance) => string) | undefined;
}

/** How a command's rows look where they are shown as rows. */
export interface View<Row> {
  readonly columns: readonly Column<Row>[];
  /** What stderr says when a table has no row. */
  readonly empty?: string;
  /** Prints each row as a block with a line for each field: for what is shown once and must not be cut. */
  readonly block?: true;
  /** Prints each row as a line of prose in the place of a table, unless columns are named: for what is read as a log. */
  readonly line?: (row: Row) => readonly LinePart[];
  /** Further fields that rows of this kind have, which `--columns` may name before there is a row. */
  readonly fields?: readonly string[];
  /** A row with the fields that every one surely has, to try a query on before anything is sent. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** The columns named by `--columns`. @throws UsageError when there is none, or one has no name */
export function parseColumns(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new UsageError(`--columns ${JSON.stringify(text)}: not a list of columns`, {
    hint: 'for example --columns name,config.host',
  });
}

/** The view's columns, or those named: by header or path in any case, else as a path into the row. */
export function selectColumns<Row>(
  columns: readonly Column<Row>[],
  names: readonly string[] | undefined,
): readonly Column<Row>[] {
  if (names === undefined) return columns;
  return names.map(
    (name) => columns.find((column) => isNamed(column, name)) ?? { header: name, value: name },
  );
}

/**
 * Checks the names of `--columns` against what rows of a view can have. For what cannot be repeated because of a slip:
 * rows that are only read may have fields that nobody knows yet.
 *
 * @throws UsageError naming the unknown one and those that are known
 */
export function assertKnownColumns<Row>(
  { columns, fields = [] }: View<Row>,
  names: readonly string[] | undefined = [],
): void {
  const paths = columns.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const roots = new Set([...paths, ...fields].map(rootOf));
  const unknown = names.find(
    (name) => !columns.some((column) => isNamed(column, name)) && !roots.has(rootOf(name)),
  );
  if (unknown === undefined) return;
  const known = [...new Set([...columns.map(fieldName), ...fields])];
  throw new UsageError(`--columns: there is no column ${JSON.stringify(unknown)}`, {
    hint: `nothing was sent; the columns are ${known.join(', ')}`,
  });
}

/** Of a dotted path the first field. */
function rootOf(path: string): string | undefined {
  return path.split('.', 1)[0];
}

function isNamed<Row>({ header, value }: Column<Row>, name: string): boolean {
  const wanted = name.toLowerCase();
  return header.toLowerCase() === wanted || (typeof value === 'string' && value.toLowerCase() === wanted);
}

/** Columns for rows that no view knows: the fields of all of them, in order of appearance; `value` for what has none. */
export function keyColumns(rows: readonly unknown[]): readonly Column<unknown>[] {
  const keys = new Set(rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])));
  const columns: Column<unknown>[] = [...keys].map((key) => ({ header: key, value: key }));
  const hasScalar = rows.some((row) => !isObject(row));
  return hasScalar
    ? [...columns, { header: 'value', value: (row) => (isObject(row) ? undefined : row) }]
    : columns;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** The name of a column for programs: its path, else its header in the form of a field name. */
export function fieldName<Row>({ header, value }: Column<Row>): string {
  return typeof value === 'string' ? value : header.toLowerCase().replaceAll(' ', '_');
}

/** The value of a cell; undefined where the row has none. */
export function cellValue<Row>(row: Row, { value }: Column<Row>): unknown {
  return typeof value === 'string' ? valueAt(row, value) : value(row);
}

// A field whose own name has dots comes before the path. Own fields alone: `constructor` is no column.
function valueAt(value: unknown, path: string): unknown {
  if (!isObject(value)) return undefined;
  const own = ownValue(value, path);
  const dot = path.indexOf('.');
  if (own !== undefined || dot === -1) return own;
  return valueAt(ownValue(value, path.slice(0, dot)), path.slice(dot + 1));
}

function ownValue(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** The text of a value: a string as it is, nothing for null, JSON for what has parts. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return printJson(value);
  return String(value);
}
