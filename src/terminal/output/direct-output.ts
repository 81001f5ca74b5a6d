import { fstatSync, writeSync } from 'node:fs';
import { readSystemCode } from '../../errors/errors.js';
import type { System } from '../process/system.js';
import { isClosedPipe, type Output, outputError } from './output.js';

/** The smallest capacity of a pipe on any platform (macOS). */
const directBytes = 16 * 1024;

/** Whether stdout is a file or pipe, which needs no stream. Pipes from a Node.js parent are sockets. */
export function canBeDirect<Some extends Pick<System, 'stdoutFile'>>(
  system: Some,
): system is Some & { readonly stdoutFile: number } {
  if (system.stdoutFile === undefined) return false;
  try {
    const found = fstatSync(system.stdoutFile);
    return found.isFIFO() || found.isFile() || found.isSocket();
  } catch {
    // The stream of Node.js handles a closed descriptor.
    return false;
  }
}

/** Writes short output without a stream, which would load `node:net`. A full pipe or longer output opens the stream. */
export class DirectOutput implements Output {
  readonly isTerminal = false;
  readonly columns = undefined;
  readonly rows = undefined;
  readonly #file: number;
  readonly #open: () => Output;
  readonly #onClosed: () => void;
  #stream: Output | undefined;
  #written = 0;
  #closed = false;

  constructor(file: number, open: () => Output, onClosed: () => void) {
    this.#file = file;
    this.#open = open;
    this.#onClosed = onClosed;
  }

  async write(data: string | Uint8Array): Promise<void> {
    if (this.#closed) return;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const rest = this.#stream === undefined ? this.#writeDirectly(bytes) : bytes;
    if (rest.length === 0) return;
    this.#stream ??= this.#open();
    await this.#stream.write(rest);
  }

  #writeDirectly(bytes: Uint8Array): Uint8Array {
    if (this.#written + bytes.length > directBytes) return bytes;
    try {
      const taken = writeSync(this.#file, bytes);
      this.#written += taken;
      return bytes.subarray(taken);
    } catch (error) {
      if (readSystemCode(error) === 'EAGAIN') return bytes;
      if (!isClosedPipe(error)) throw outputError(error);
      this.#closed = true;
      this.#onClosed();
      return bytes.subarray(bytes.length);
    }
  }
}
