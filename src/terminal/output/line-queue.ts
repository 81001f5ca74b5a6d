import { writeSync } from 'node:fs';
import { readSystemCode } from '../../errors/errors.js';
import type { System } from '../process/system.js';

const mostBytes = 1024 * 1024;

/** Milliseconds to gather lines for one write, and before retrying a full pipe. */
const pause = 20;

/** Lines for stderr, which never wait for its reader: lines beyond a limit are dropped, with a notice. */
export class LineQueue {
  readonly #system: Pick<System, 'stderr' | 'stderrFile'>;
  readonly #notice: (dropped: number) => string;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(system: Pick<System, 'stderr' | 'stderrFile'>, notice: (dropped: number) => string) {
    this.#system = system;
    this.#notice = notice;
    // Opening the stream makes a pipe non-blocking.
    system.stderr.on('error', () => undefined);
  }

  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#bytes + bytes.length > mostBytes) this.#dropped += 1;
    else this.#bytes += this.#waiting.push(bytes) && bytes.length;
    this.#timer ??= setTimeout(() => this.#flush(), pause).unref();
  }

  close(): void {
    this.#flush();
    clearTimeout(this.#timer);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let rest = this.#send(Buffer.concat(this.#waiting));
    if (rest.length === 0 && this.#dropped > 0) {
      rest = this.#send(Buffer.from(`${this.#notice(this.#dropped)}\n`));
      this.#dropped = 0;
    }
    this.#waiting = [rest];
    this.#bytes = rest.length;
    if (rest.length > 0) this.#timer = setTimeout(() => this.#flush(), pause).unref();
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
