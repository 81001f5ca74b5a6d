import { fstatSync, writeSync } from 'node:fs';
import { readSystemCode } from '../../errors/errors.js';
import type { System } from '../process/system.js';
import { isClosedPipe, type Output, outputError } from './output.js';

/** The smallest pipe capacity of any platform (macOS). */
const directBytes = 16 * 1024;

/** Whether a descriptor is a file or pipe, which can be written without a stream. Node's own pipes are sockets. */
export function canBeDirect<Some extends Pick<System, 'stdoutFile'>>(
  system: Some,
): system is Some & { readonly stdoutFile: number } {
  if (system.stdoutFile === undefined) return false;
  try {
    const found = fstatSync(system.stdoutFile);
    return found.isFIFO() || found.isFile() || found.isSocket();
  } catch {
    // Node's own stream handles a closed descriptor.
    return false;
  }
}

/** For short output: a stream loads Node's sockets, an eighth of the start time. A full pipe falls back to it. */
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
