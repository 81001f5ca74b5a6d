import { writeSync } from 'node:fs';
import { readSystemCode } from '../../errors/errors.js';
import type { System } from '../process/system.js';

const mostBytes = 1024 * 1024;

/** Milliseconds to gather lines for one write, and before retrying a full pipe. */
const pause = 20;

/** Writes lines to stderr without waiting for its reader: lines beyond a limit are dropped, with a notice. */
export class LineQueue {
  readonly #system: Pick<System, 'stderr' | 'stderrFile'>;
  readonly #notice: (dropped: number) => string;
  #lines = '';
  /** What stderr has not taken yet. */
  #rest: Buffer = Buffer.alloc(0);
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(system: Pick<System, 'stderr' | 'stderrFile'>, notice: (dropped: number) => string) {
    this.#system = system;
    this.#notice = notice;
    // Opening the stream makes a pipe non-blocking.
    system.stderr.on('error', () => undefined);
  }

  write(line: string): void {
    if (this.#rest.length + this.#lines.length > mostBytes) this.#dropped += 1;
    else this.#lines += `${line}\n`;
    this.#timer ??= setTimeout(() => this.#flush(), pause).unref();
  }

  close(): void {
    this.#flush();
    clearTimeout(this.#timer);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#rest = this.#send(Buffer.concat([this.#rest, Buffer.from(this.#lines)]));
    this.#lines = '';
    if (this.#rest.length === 0 && this.#dropped > 0) {
      this.#rest = this.#send(Buffer.from(`${this.#notice(this.#dropped)}\n`));
      this.#dropped = 0;
    }
    this.#timer = this.#rest.length > 0 ? setTimeout(() => this.#flush(), pause).unref() : undefined;
  }

  /** Writes through the descriptor, which reports a full pipe. @returns what could not be written yet */
  #send(bytes: Buffer): Buffer {
    const { stderr, stderrFile } = this.#system;
    if (bytes.length === 0) return bytes;
    if (stderrFile === undefined) stderr.write(bytes);
    else
      try {
        return bytes.subarray(writeSync(stderrFile, bytes));
      } catch (error) {
        // Without a reader, the lines are discarded.
        if (readSystemCode(error) === 'EAGAIN') return bytes;
      }
    return bytes.subarray(bytes.length);
  }
}
