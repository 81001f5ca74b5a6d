import type { Output } from './output.js';
import type { Streams } from './streams.js';

/** Collects what a printer prints, laid out for the output that it replaces. */
export class Canvas implements Output {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  text = '';

  constructor({ isTerminal, columns, rows }: Output) {
    this.isTerminal = isTerminal;
    this.columns = columns;
    this.rows = rows;
  }

  async write(data: string | Uint8Array): Promise<void> {
    this.text += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
  }

  /** The streams with this instead of stdout. */
  asStdout({ stderr, status, closed }: Streams): Streams {
    return { stdout: this, stderr, status, closed };
  }

  /** The streams with this instead of both: notes, such as that there is nothing to show, stand among the results. */
  asBoth({ status, closed }: Streams): Streams {
    return { stdout: this, stderr: this, status, closed };
  }
}
