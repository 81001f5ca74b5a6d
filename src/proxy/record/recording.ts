import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { describeFileError, readSystemCode, UsageError } from '../../errors/errors.js';
import { creating } from '../../platform/own-file.js';
import { countNoun } from '../../text/count-noun.js';
import type { ProxiedExchange } from '../exchange.js';
import { toRecord } from './record-exchange.js';
import { MaskedCursors } from './record-forms.js';

/** Maximum bytes of a recording. */
const maxRecorded = 64 * 1024 * 1024;

/** Writes exchanges to a new, private file: one per line, up to `maxRecorded` bytes. */
export class Recording {
  readonly #path: string;
  readonly #service: string;
  readonly #file: number;
  readonly #warn: (message: string) => void;
  readonly #cursors = new MaskedCursors();
  /** Bytes of the complete lines so far. */
  #length = 0;
  #lines = 0;
  #isOpen = true;

  /**
   * @param service the service's base URL
   * @param warn called once, with the reason, if the recording ends early
   * @throws UsageError if the file exists or cannot be created
   */
  constructor(path: string, service: string, warn: (message: string) => void) {
    this.#path = path;
    this.#service = service;
    this.#file = createFile(path);
    this.#warn = warn;
  }

  observe(exchange: ProxiedExchange): void {
    if (!this.#isOpen) return;
    const record = toRecord(exchange, this.#service, this.#cursors);
    if (record === undefined) return;
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    if (this.#length + line.length <= maxRecorded) this.#write(line);
    else this.#end(`it would exceed ${maxRecorded / 1024 / 1024} MiB`);
  }

  #write(line: Buffer): void {
    try {
      for (let at = 0; at < line.length; ) at += writeSync(this.#file, line, at);
    } catch (error) {
      this.#dropPart();
      this.#end(describeFileError(error));
      return;
    }
    this.#length += line.length;
    this.#lines += 1;
  }

  /** Removes a partly written line. Best effort: readers skip such a line at the end. */
  #dropPart(): void {
    try {
      ftruncateSync(this.#file, this.#length);
    } catch {
      // This may also fail on a full disk.
    }
  }

  /** Also removes the file if it is empty: the next recording would refuse an existing file. */
  close(): void {
    if (!this.#isOpen) return;
    closeSync(this.#file);
    this.#isOpen = false;
    if (this.#length === 0) rmSync(this.#path, { force: true });
  }

  #end(reason: string): void {
    this.close();
    const left =
      this.#lines === 0
        ? 'was removed, because it had no exchanges'
        : `has the first ${countNoun(this.#lines, 'exchange')}`;
    this.#warn(`recording stopped: ${reason}; ${this.#path} ${left}`);
  }
}

function createFile(path: string): number {
  try {
    return openSync(path, creating, 0o600);
  } catch (cause) {
    const reason = readSystemCode(cause) === 'EEXIST' ? 'it already exists' : describeFileError(cause);
    throw new UsageError(`cannot record to ${path}: ${reason}`, {
      hint: 'choose a file that does not exist yet: nothing is overwritten',
      cause,
    });
  }
}
