import type { Output } from './streams.js';

// The capacity of a pipe on Linux: larger writes only cost memory, smaller ones cost system calls.
const chunkLength = 64 * 1024;

/** Combines small writes. Flushes when the event loop is idle, so that rows that arrive slowly appear immediately. */
export class BufferedOutput {
  readonly #output: Output;
  #pending = '';
  #idle: NodeJS.Immediate | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(output: Output) {
    this.#output = output;
  }

  /** @throws errors of earlier writes, too */
  async write(text: string): Promise<void> {
    this.#pending += text;
    if (this.#pending.length >= chunkLength) return this.flush();
    // The next awaited write or flush reports a failure.
    this.#idle ??= setImmediate(() => void Promise.allSettled([this.flush()]));
    return undefined;
  }

  flush(): Promise<void> {
    clearImmediate(this.#idle);
    this.#idle = undefined;
    const text = this.#pending;
    this.#pending = '';
    this.#written = this.#written.then(() => this.#output.write(text));
    return this.#written;
  }
}
