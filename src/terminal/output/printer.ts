import type { OutputFormat } from '../../api/option-values.js';
import { type AddOptions, hintText } from '../../errors/advice.js';
import {
  assertKnownColumns,
  cellValue,
  keyColumns,
  listEveryColumn,
  selectColumns,
  type View,
} from '../formats/columns.js';
import { type Format, formats, jsonText, type Rows } from '../formats/format.js';
import type { CompiledExpression } from '../query/query.js';
import { messageLine, sanitizeLines, speaksJson } from '../text/sanitize.js';
import { type Streams, writeChunks } from './streams.js';

export type { View } from '../formats/columns.js';

export interface PrinterOptions {
  readonly streams: Streams;
  readonly format: OutputFormat;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly headers?: boolean | undefined;
  readonly wide?: boolean | undefined;
  /** To apply it, `list` collects all rows in memory. */
  readonly query?: CompiledExpression | undefined;
  /** Prints the results of a query one per line, strings unquoted. */
  readonly raw?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly addOptions?: (() => Promise<AddOptions>) | undefined;
}

async function loadFormat(name: OutputFormat | keyof typeof formats): Promise<Format> {
  if (name === 'table') return (await import('../formats/table.js')).tableFormat;
  if (name === 'yaml') return (await import('../formats/yaml.js')).yamlFormat;
  return formats[name];
}

/** Prints data to stdout in the chosen format, and notes to stderr. */
export class Printer {
  readonly #options: PrinterOptions;
  readonly #format: OutputFormat | 'raw';

  constructor(options: PrinterOptions) {
    this.#options = options;
    this.#format = options.raw && options.query !== undefined ? 'raw' : options.format;
  }

  /** Checks `--columns` before anything is sent. @throws UsageError */
  check<Row>(view: View<Row>): void {
    if (this.#options.query === undefined) assertKnownColumns(view, this.#options.columns);
  }

  /**
   * How much of a value is printed. Without a value, `part` if `--query` or `--columns` selects parts; `lacking` if they
   * name a field that the value lacks.
   */
  coverage<Row>(value?: Row, view?: View<Row>): 'whole' | 'part' | 'lacking' {
    const { query } = this.#options;
    if (query === undefined && this.#options.columns === undefined) return 'whole';
    if (value === undefined) return 'part';
    if (query !== undefined) return query.lacksField(value) ? 'lacking' : 'part';
    const named = selectColumns(view?.columns ?? [], this.#options.columns);
    const rows: readonly Row[] = Array.isArray(value) ? value : [value];
    const lacks = (row: Row) => named.some((column) => cellValue(row, column) === undefined);
    return rows.some(lacks) ? 'lacking' : 'part';
  }

  /** Without a query, reads rows only as fast as it can write them. Stops when stdout's reader closes. */
  async list<Row>(rows: Rows<Row>, view: View<Row>): Promise<void> {
    const { query } = this.#options;
    if (query === undefined) return this.#rows(rows, view);
    await this.#answer(query(await collect(rows)), view);
  }

  /** Prints rows as they arrive, in JSON one per line. The first batch lays out a table; queries apply to each row. */
  async follow<Row>(batches: AsyncIterable<readonly Row[]>, view: View<Row>): Promise<void> {
    const { query } = this.#options;
    const format = this.#format === 'json' ? 'jsonl' : this.#format;
    const { first, rows } = await readStart(batches);
    const layoutRows = Math.max(1, first.length);
    if (query === undefined) await this.#rows(rows, view, format, layoutRows);
    else await this.#rows(mapRows(rows, query), openView(first.map(query)), format, layoutRows);
  }

  one<Row>(row: Row, view: View<Row>): Promise<void> {
    return this.value(row, [row], view);
  }

  /** One value, such as the quota record. Row-based formats print `rows` instead. */
  async value<Row>(value: unknown, rows: Iterable<Row>, view: View<Row>): Promise<void> {
    const { query } = this.#options;
    const answer = query === undefined ? value : query(value);
    if (answer === value && this.#format !== 'raw') await this.#value(value, rows, view);
    else await this.#answer(answer, view);
  }

  /** A value of unknown shape. The table format prints JSON, unless columns are named. */
  async document(value: unknown): Promise<void> {
    if (this.#isPlainTable()) return this.#asJson().document(value);
    const members = toMembers(value);
    await this.value(value, members, openView(members));
  }

  /** Like `document`, for values that arrive one by one. CSV waits for the last, because each can add columns. */
  async documents(values: AsyncIterable<unknown>): Promise<void> {
    if (this.#isPlainTable()) return this.#asJson().documents(values);
    if (this.#format !== 'csv' || this.#options.columns !== undefined) return this.list(values, openView([]));
    return this.document(await collect(values));
  }

  /** A value; the table format prints `text` instead, unless columns or a query are given. */
  async prose(value: unknown, text: string): Promise<void> {
    const wantsData = this.#options.query !== undefined || !this.#isPlainTable();
    return wantsData ? this.document(value) : this.text(text);
  }

  /** Text that is data, such as a canonical string. Escapes hidden characters only on a terminal. */
  async text(text: string): Promise<void> {
    const { stdout } = this.#options.streams;
    await stdout.write(stdout.isTerminal ? sanitizeLines(text) : text);
  }

  /** Writes a note to stderr, as JSON if the output is JSON. Does nothing with `--quiet`. */
  async note(text: string, next?: readonly string[]): Promise<void> {
    const { quiet, addOptions } = this.#options;
    if (quiet) return;
    const aimed = next && ((await addOptions?.()) ?? ((words) => words))(next);
    await this.#tell('note', aimed === undefined ? text : hintText(text, aimed));
  }

  /** Like `note`, even with `--quiet`. */
  warn(text: string): Promise<void> {
    return this.#tell('warning', text);
  }

  async #tell(kind: 'note' | 'warning', text: string): Promise<void> {
    const { streams, format } = this.#options;
    await streams.stderr.write(messageLine(kind, text, speaksJson(format)));
  }

  #isPlainTable(): boolean {
    return this.#options.format === 'table' && this.#options.columns === undefined;
  }

  #asJson(): Printer {
    return new Printer({ ...this.#options, format: 'json' });
  }

  /** Prints a query's result: rows of any shape, or a scalar, whose JSON is also YAML. */
  async #answer<Row>(answer: unknown, { empty }: View<Row>): Promise<void> {
    const members = toMembers(answer);
    if (this.#format === 'raw') return this.#rows(members, { columns: [] });
    if (typeof answer !== 'object' || answer === null) return this.#asJson().#value(answer, [], openView([]));
    await this.#value(answer, members, { ...openView(members), empty });
  }

  async #value<Row>(value: unknown, rows: Iterable<Row>, view: View<Row>): Promise<void> {
    const { streams } = this.#options;
    const { isTerminal } = streams.stdout;
    if (this.#format === 'json') {
      await writeChunks([`${jsonText(value, isTerminal, 2)}\n`], streams);
    } else if (this.#format === 'yaml') {
      const { printYaml } = await import('../formats/yaml.js');
      await writeChunks([printYaml(value ?? null)], streams);
    } else if (this.#format === 'jsonl') await this.#rows(toMembers(value), openView([]));
    else await this.#rows(rows, view);
  }

  async #rows<Row>(
    rows: Rows<Row>,
    view: View<Row>,
    format: OutputFormat | 'raw' = this.#format,
    layoutRows?: number,
  ): Promise<void> {
    const { streams, color, headers = true, query, wide } = this.#options;
    if (!view.isOpen && query === undefined) assertKnownColumns(view, this.#options.columns);
    const { isTerminal, columns } = streams.stdout;
    const leftOut: string[] = [];
    const surface = { isTerminal, columns: wide ? undefined : columns, color, headers, layoutRows, leftOut };
    const isProse = view.line !== undefined && this.#isPlainTable() && !wide && query === undefined;
    const print = await loadFormat(isProse ? 'lines' : view.block && format === 'table' ? 'block' : format);
    const shown = selectColumns(wide ? listEveryColumn(view) : view.columns, this.#options.columns);
    const isWritten = await writeChunks(print(rows, { ...view, columns: shown }, surface), streams);
    if (leftOut.length > 0) await this.note(`no room for ${leftOut.join(', ')}; all columns: -o wide`);
    if (!isWritten && format === 'table' && view.empty !== undefined) await this.note(view.empty);
  }
}

function openView(rows: readonly unknown[]): View<unknown> {
  return { columns: keyColumns(rows), isOpen: true };
}

async function* mapRows<Row>(rows: AsyncIterable<Row>, map: (row: Row) => unknown): AsyncGenerator<unknown> {
  for await (const row of rows) yield map(row);
}

/** Waits for the first batch. `rows` includes it. */
async function readStart<Row>(
  batches: AsyncIterable<readonly Row[]>,
): Promise<{ first: readonly Row[]; rows: AsyncIterable<Row> }> {
  const iterator = batches[Symbol.asyncIterator]();
  const { value: first = [], done } = await iterator.next();
  async function* rows() {
    try {
      yield* first;
      if (!done) for await (const batch of { [Symbol.asyncIterator]: () => iterator }) yield* batch;
    } finally {
      // A caller that stops at the first batch must not leave the source open.
      await iterator.return?.();
    }
  }
  return { first, rows: rows() };
}

async function collect<Row>(rows: Rows<Row>): Promise<readonly Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

function toMembers(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
