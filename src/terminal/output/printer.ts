import { type AddOptions, hintText } from '../../errors/advice.js';
import { printJson } from '../../text/exact-json.js';
import { keyColumns, listEveryColumn, selectColumns, type TableView, type View } from '../formats/columns.js';
import type { Rows } from '../formats/format.js';
import type { LineOf } from '../formats/lines.js';
import type { CompiledExpression } from '../query/query.js';
import { messageLine, speaksJson } from '../text/message-line.js';
import { sanitizeJson, sanitizeLines } from '../text/sanitize.js';
import { flattenBatches, mapBatches, readStart } from './batches.js';
import { type Coverage, describeCoverage } from './coverage.js';
import { type FormatOptions, FormatWriter } from './format-writer.js';
import { addFurtherColumns, readFurtherColumns } from './further-columns.js';
import { NamedColumns } from './named-columns.js';
import { sameRows, toMembers } from './own-rows.js';

export type { TypedView, View } from '../formats/columns.js';

export interface Printer {
  /** Checks `--columns`, or `--query` against the view's example, before anything is sent. @throws UsageError */
  check<Row>(view: View<Row>, shape: 'value' | 'list'): void;
  coverage<Row>(value?: Row, view?: View<Row>): Coverage;
  /** Without a query, reads rows only as fast as it can write them. Stops when stdout's reader closes. */
  list<Row>(rows: Rows<Row>, view: View<Row>): Promise<void>;
  /** Prints rows as they arrive, in JSON one per line. The first batch lays out a table; queries apply to each row. */
  follow<Row>(batches: AsyncIterable<readonly Row[]>, view: View<Row>): Promise<void>;
  one<Row>(row: Row, view: View<Row>): Promise<void>;
  /** One value, such as the quota record. Row-based formats print `rows` instead. */
  value<Row>(value: unknown, rows: Iterable<Row>, view: View<Row>): Promise<void>;
  /** A value of unknown shape: its keys are the columns. The table format prints JSON, unless columns are named. */
  document(value: unknown): Promise<void>;
  /** Like `document`, for batches of values; the keys of the first batch are the columns. */
  documents(batches: AsyncIterable<readonly unknown[]>): Promise<void>;
  /** A value; the table format prints `text` instead, unless columns or a query are given. */
  prose(value: unknown, text: string): Promise<void>;
  /** A short text, such as a path. Formats without rows print it as a string value. */
  line(text: string): Promise<void>;
  /** Text that is data, such as a canonical string. Escapes hidden characters only on a terminal. */
  text(text: string): Promise<void>;
  /** Writes a note to stderr, as JSON if the output is JSON. Does nothing with `--quiet`. */
  note(text: string, next?: readonly string[]): Promise<void>;
  /** Like `note`, even with `--quiet`. */
  warn(text: string, next?: readonly string[]): Promise<void>;
}

export interface PrinterOptions extends FormatOptions {
  readonly quiet: boolean;
  /** The compiled `--query`; to apply it, `list` collects all rows in memory. */
  readonly query?: CompiledExpression | undefined;
  /** `--raw`: prints query results one per line, strings unquoted. */
  readonly raw?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly addOptions?: (() => Promise<AddOptions>) | undefined;
}

/** The printer loads a format and its libraries on first use. */
export function makePrinter(options: PrinterOptions): Printer {
  return new StreamPrinter(options);
}

class StreamPrinter implements Printer {
  readonly #options: PrinterOptions;
  readonly #named: NamedColumns;
  readonly #isRaw: boolean;
  readonly #writer: FormatWriter;

  constructor(options: PrinterOptions) {
    this.#options = options;
    this.#isRaw = options.raw === true && options.query !== undefined;
    this.#named = new NamedColumns(options);
    const note = (text: string) => this.note(text);
    this.#writer = new FormatWriter({ ...options, isRaw: this.#isRaw, note });
  }

  check<Row>(view: View<Row>, shape: 'value' | 'list'): void {
    this.#named.check(view, shape);
  }

  coverage<Row>(value?: Row, view?: View<Row>): Coverage {
    return describeCoverage(value, view, this.#options);
  }

  async list<Row>(rows: Rows<Row>, view: View<Row>): Promise<void> {
    this.#named.assertKnown(view, rows);
    const { query } = this.#options;
    if (view.line !== undefined && query === undefined && this.#printsLines())
      return this.#lines(rows, view.line, view.empty);
    if (query === undefined) {
      const all = await readFurtherColumns(rows, view, this.#options);
      return this.#writer.list(all.rows, this.#columns(all.view), view.empty);
    }
    const gathered: Row[] = [];
    for await (const row of rows) gathered.push(row);
    await this.#answer(query(gathered), gathered, view);
  }

  async follow<Row>(batches: AsyncIterable<readonly Row[]>, view: View<Row>): Promise<void> {
    const { query, columns } = this.#options;
    if (view.line !== undefined && query === undefined && this.#printsLines())
      return this.#lines(flattenBatches(batches), view.line);
    if (query === undefined) return this.#writer.follow(batches, () => this.#columns(view));
    return this.#writer.follow(mapBatches(batches, query), (first) =>
      selectColumns(keyColumns(first), columns),
    );
  }

  one<Row>(row: Row, view: View<Row>): Promise<void> {
    return this.value(row, [row], view);
  }

  async value<Row>(value: unknown, rows: Iterable<Row>, view: View<Row>): Promise<void> {
    this.#named.assertKnown(view, rows);
    const { query } = this.#options;
    if (view.line !== undefined && query === undefined && this.#printsLines())
      return this.#lines(rows, view.line, view.empty);
    const answer = query === undefined ? value : query(value);
    if (answer !== value || this.#isRaw) return this.#answer(answer, rows, view);
    if (view.block && this.#options.format === 'table') return this.#block(rows, view);
    return this.#writer.value(value, rows, this.#columns(view), view.empty);
  }

  async document(value: unknown): Promise<void> {
    if (this.#isPlainTable()) return this.#asJson().document(value);
    const members = toMembers(value);
    await this.value(value, members, { columns: keyColumns(members), isOpen: true });
  }

  async documents(batches: AsyncIterable<readonly unknown[]>): Promise<void> {
    if (this.#isPlainTable()) return this.#asJson().documents(batches);
    const { first, rows } = await readStart(batches);
    await this.list(rows, { columns: keyColumns(first), isOpen: true });
  }

  async prose(value: unknown, text: string): Promise<void> {
    const wantsData = this.#options.query !== undefined || !this.#isPlainTable();
    return wantsData ? this.document(value) : this.text(text);
  }

  async line(text: string): Promise<void> {
    const { format, query } = this.#options;
    const rows = format === 'table' || format === 'csv';
    return rows && query === undefined ? this.text(`${text}\n`) : this.document(text);
  }

  async text(text: string): Promise<void> {
    const { stdout } = this.#options.streams;
    await stdout.write(stdout.isTerminal ? sanitizeLines(text) : text);
  }

  async note(text: string, next?: readonly string[]): Promise<void> {
    if (!this.#options.quiet) await this.#tell('note', text, next);
  }

  async warn(text: string, next?: readonly string[]): Promise<void> {
    await this.#tell('warning', text, next);
  }

  async #tell(kind: 'note' | 'warning', text: string, next?: readonly string[]): Promise<void> {
    const { streams, format, addOptions } = this.#options;
    const aimed = next && ((await addOptions?.()) ?? ((words) => words))(next);
    const line = aimed === undefined ? text : hintText(text, aimed);
    await streams.stderr.write(messageLine(kind, line, speaksJson(format)));
  }

  #columns<Row>(view: View<Row>): readonly TableView<Row>[] {
    const { columns, wide } = this.#options;
    return selectColumns(wide ? listEveryColumn(view) : view.columns, columns);
  }

  #isPlainTable(): boolean {
    const { format, columns } = this.#options;
    return format === 'table' && columns === undefined;
  }

  #printsLines(): boolean {
    return this.#isPlainTable() && !this.#options.wide;
  }

  #asJson(): StreamPrinter {
    return new StreamPrinter({ ...this.#options, format: 'json' });
  }

  /** Prints a query's result: the command's own rows, other rows, or a scalar. */
  async #answer<Row>(answer: unknown, rows: Iterable<Row>, view: View<Row>): Promise<void> {
    if (this.#isRaw) return this.#writer.value(answer, [], []);
    if (typeof answer !== 'object' || answer === null) return this.#scalar(answer);
    const members = toMembers(answer);
    const keys = this.#options.query?.keys;
    const own = keys ? undefined : sameRows(members, rows);
    if (own) return this.#shaped(answer, own, view.columns, view.empty);
    await this.#shaped(answer, members, keyColumns(members, keys), view.empty);
  }

  async #lines<Row>(rows: Rows<Row>, lineOf: LineOf<Row>, empty?: string): Promise<void> {
    const { printLines } = await import('../formats/lines.js');
    await this.#writer.write(printLines(rows, lineOf, this.#options.color), empty);
  }

  async #shaped<Row>(
    answer: unknown,
    rows: readonly Row[],
    columns: readonly TableView<Row>[],
    empty?: string,
  ): Promise<void> {
    const selected = selectColumns(columns, this.#options.columns);
    return Array.isArray(answer)
      ? this.#writer.list(rows, selected, empty)
      : this.#writer.value(answer, rows, selected, empty);
  }

  async #block<Row>(rows: Iterable<Row>, view: View<Row>): Promise<void> {
    const { blockFormat } = await import('../formats/block.js');
    await this.#writer.write(
      blockFormat.list(rows, this.#columns(addFurtherColumns(rows, view, this.#options))),
    );
  }

  /** Prints a scalar as JSON in every format: it has no rows, and its JSON is also YAML. */
  async #scalar(answer: unknown): Promise<void> {
    const { stdout } = this.#options.streams;
    const json = `${printJson(answer)}\n`;
    await stdout.write(stdout.isTerminal ? sanitizeJson(json) : json);
  }
}
