import type { Output } from './output.js';
import type { Streams } from './streams.js';

/** Collects printed text, laid out for the output it replaces. */
export class Canvas implements Output {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  text = '';

  constructor({ isTerminal, columns }: Output) {
    this.isTerminal = isTerminal;
    this.columns = columns;
  }

  async write(data: string | Uint8Array): Promise<void> {
    this.text += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
  }

  asStdout({ stderr, status, closed, outlastReader }: Streams): Streams {
    return { stdout: this, stderr, status, closed, outlastReader };
  }
}
