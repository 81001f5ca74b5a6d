import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { describeFileError, readSystemCode, UsageError } from '../../errors/errors.js';
import { creating } from '../../platform/own-file.js';
import type { ProxiedExchange } from '../exchange.js';
import { toRecord } from './record-exchange.js';

/** Bytes of a file. */
const mostRecorded = 64 * 1024 * 1024;

/** Writes exchanges to a new file of this user, one line each, until it is full. */
export class Recording {
  readonly #path: string;
  readonly #service: string;
  readonly #file: number;
  readonly #warn: (message: string) => void;
  #left = mostRecorded;
  #isOpen = true;

  /**
   * @param service the service's base URL
   * @param warn told once why it ended early
   * @throws UsageError when the file exists, or cannot be made
   */
  constructor(path: string, service: string, warn: (message: string) => void) {
    this.#path = path;
    this.#service = service;
    this.#file = createFile(path);
    this.#warn = warn;
  }

  observe(exchange: ProxiedExchange): void {
    if (!this.#isOpen) return;
    const record = toRecord(exchange, this.#service);
    if (record === undefined) return;
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    this.#left -= line.length;
    if (this.#left < 0) this.#end(`${mostRecorded / 1024 / 1024} MiB are the most that is recorded`);
    else this.#write(line);
  }

  #write(line: Buffer): void {
    try {
      for (let at = 0; at < line.length; ) at += writeSync(this.#file, line, at);
    } catch (error) {
      this.#end(describeFileError(error));
    }
  }

  /** Takes the empty file away again, for a proxy that did not start. */
  discard(): void {
    this.close();
    rmSync(this.#path, { force: true });
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  #end(reason: string): void {
    this.close();
    this.#warn(`nothing more is recorded: ${reason}`);
  }
}

function createFile(path: string): number {
  try {
    return openSync(path, creating, 0o600);
  } catch (cause) {
    const reason = readSystemCode(cause) === 'EEXIST' ? 'it exists' : describeFileError(cause);
    throw new UsageError(`cannot record to ${path}: ${reason}`, {
      hint: 'name a file that does not exist yet: nothing is overwritten',
      cause,
    });
  }
}
