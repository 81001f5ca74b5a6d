import { fstatSync, writeSync } from 'node:fs';
import { readSystemCode } from '../../errors/errors.js';
import type { System } from '../process/system.js';

const queuedBytes = 1024 * 1024;

/** Milliseconds before retrying a full pipe. */
const queuePause = 50;

/** Writes what it can immediately; returns the number of bytes written or discarded. */
type Sink = (bytes: Buffer) => number;

/** Lines for stderr. Drops lines beyond a limit, with a notice. `close` drops unwritten lines: exit must not wait. */
export class LineQueue {
  readonly #system: Pick<System, 'stderr' | 'stderrFile'>;
  readonly #notice: (dropped: number) => string;
  readonly #gathering: number | undefined;
  #sink: Sink | undefined;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param gathering milliseconds to gather lines for one write; if absent, each line is written immediately */
  constructor(
    system: Pick<System, 'stderr' | 'stderrFile'>,
    notice: (dropped: number) => string,
    gathering?: number,
  ) {
    this.#system = system;
    this.#notice = notice;
    this.#gathering = gathering;
  }

  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#bytes + bytes.length > queuedBytes) this.#dropped += 1;
    else this.#keep(bytes);
    if (this.#timer !== undefined) return;
    if (this.#gathering === undefined) this.#flush();
    else this.#flushAfter(this.#gathering);
  }

  close(): void {
    this.#flush();
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#bytes = 0;
  }

  #keep(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sink ??= chooseSink(this.#system);
    while (this.#waiting.length > 0) {
      const bytes = Buffer.concat(this.#waiting);
      const taken = this.#sink(bytes);
      const rest = bytes.subarray(taken);
      this.#waiting = rest.length === 0 ? [] : [rest];
      this.#bytes = rest.length;
      if (rest.length > 0) return void this.#flushAfter(queuePause);
      if (this.#dropped === 0) return;
      this.#keep(Buffer.from(`${this.#notice(this.#dropped)}\n`));
      this.#dropped = 0;
    }
  }

  #flushAfter(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#flush(), milliseconds).unref();
  }
}

/** Writes to a pipe through its descriptor, which reports a full pipe; to anything else through the stream. */
function chooseSink({ stderr, stderrFile }: Pick<System, 'stderr' | 'stderrFile'>): Sink {
  // Reading `stderr` has opened the stream, which makes a pipe non-blocking.
  stderr.on('error', () => undefined);
  if (stderrFile !== undefined && isPipe(stderrFile)) return (bytes) => writeToPipe(stderrFile, bytes);
  return (bytes) => {
    if (stderr.writableNeedDrain) return 0;
    stderr.write(bytes);
    return bytes.length;
  };
}

function isPipe(file: number): boolean {
  try {
    const found = fstatSync(file);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}

function writeToPipe(file: number, bytes: Buffer): number {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    // Without a reader, the lines are discarded.
    return readSystemCode(error) === 'EAGAIN' ? 0 : bytes.length;
  }
}
