import type { OutputFormat } from '../../api/option-values.js';
import type { TableView } from '../formats/columns.js';
import type { Format, Rows, Surface } from '../formats/format.js';
import { readStart } from './batches.js';
import { BufferedOutput } from './buffered-output.js';
import type { Streams } from './streams.js';

export interface FormatOptions {
  readonly streams: Streams;
  readonly format: OutputFormat;
  readonly color: boolean;
  readonly headers?: boolean | undefined;
  readonly wide?: boolean | undefined;
}

interface WriterOptions extends FormatOptions {
  /** Prints values one per line, strings unquoted, instead of in the format. */
  readonly isRaw: boolean;
  readonly note: (text: string) => Promise<void>;
}

/** Functions that load a format and its libraries. */
const formatLoaders: Readonly<Record<OutputFormat | 'raw', (surface: Surface) => Promise<Format>>> = {
  table: async (surface) => (await import('../formats/table.js')).tableFormat(surface),
  json: async (surface) => (await import('../formats/json.js')).jsonFormat(surface),
  jsonl: async (surface) => (await import('../formats/json.js')).jsonlFormat(surface),
  yaml: async (surface) => (await import('../formats/yaml.js')).yamlFormat(surface),
  csv: async (surface) => (await import('../formats/csv.js')).csvFormat(surface),
  raw: async (surface) => (await import('../formats/raw.js')).rawFormat(surface),
};

/** Writes rows and values to stdout in one format, which is loaded on first use. */
export class FormatWriter {
  readonly #options: WriterOptions;
  readonly #leftOut: string[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async list<Row>(rows: Rows<Row>, columns: readonly TableView<Row>[], empty?: string): Promise<void> {
    await this.write((await this.#format()).list(rows, columns), empty);
  }

  /** Writes rows as they arrive; in JSON, one per line. The first batch lays out a table. */
  async follow<Row>(
    batches: AsyncIterable<readonly Row[]>,
    columnsFor: (first: readonly Row[]) => readonly TableView<Row>[],
  ): Promise<void> {
    const { first, rows } = await readStart(batches);
    const name = this.#formatName() === 'json' ? 'jsonl' : this.#formatName();
    const format = await formatLoaders[name]({ ...this.#surface(), layoutRows: Math.max(1, first.length) });
    await this.write(format.list(rows, columnsFor(first)));
  }

  async value<Row>(
    value: unknown,
    rows: Iterable<Row>,
    columns: readonly TableView<Row>[],
    empty?: string,
  ): Promise<void> {
    await this.write((await this.#format()).value(value, rows, columns), empty);
  }

  /** Ends a partial line. @param empty a note for a table without any text */
  async write(chunks: AsyncIterable<string> | Iterable<string>, empty?: string): Promise<void> {
    const { streams, format } = this.#options;
    const output = new BufferedOutput(streams.stdout);
    let last: string | undefined;
    try {
      for await (const chunk of chunks) {
        last = chunk;
        await output.write(chunk);
        if (streams.closed.aborted) break;
      }
    } finally {
      // An error after a partial list starts on a new line.
      if (last !== undefined && !last.endsWith('\n')) await output.write('\n');
      // Also after a failure: the rows come before the error.
      await output.flush();
    }
    const narrow = this.#leftOut.splice(0);
    if (narrow.length > 0) await this.#options.note(`no room for ${narrow.join(', ')}; all columns: -o wide`);
    if (last === undefined && format === 'table' && empty !== undefined) await this.#options.note(empty);
  }

  #format(): Promise<Format> {
    return formatLoaders[this.#formatName()](this.#surface());
  }

  #formatName(): OutputFormat | 'raw' {
    return this.#options.isRaw ? 'raw' : this.#options.format;
  }

  #surface(): Surface {
    const { streams, color, headers, wide } = this.#options;
    const { isTerminal } = streams.stdout;
    const columns = wide ? undefined : streams.stdout.columns;
    return { isTerminal, columns, color, headers, leftOut: (headers) => this.#leftOut.push(...headers) };
  }
}
