import type { Output } from './streams.js';

// What a pipe holds on Linux: larger writes only cost memory, smaller ones cost system calls.
const chunkLength = 64 * 1024;

/**
 * Gathers small texts into few writes. Whatever is pending goes out as soon as the event loop is idle, so that rows
 * of a slow source appear as they arrive; at most one chunk is in memory as long as `write` is awaited.
 */
export class BufferedOutput {
  readonly #output: Output;
  #pending = '';
  #idle: NodeJS.Immediate | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(output: Output) {
    this.#output = output;
  }

  /** @throws what writing an earlier text threw, too */
  async write(text: string): Promise<void> {
    this.#pending += text;
    if (this.#pending.length >= chunkLength) return this.flush();
    // A failure stays in the chain and meets the next write or flush that is awaited.
    this.#idle ??= setImmediate(() => void Promise.allSettled([this.flush()]));
    return undefined;
  }

  /** Resolves when all that was written is out. */
  flush(): Promise<void> {
    clearImmediate(this.#idle);
    this.#idle = undefined;
    const text = this.#pending;
    this.#pending = '';
    this.#written = this.#written.then(() => this.#output.write(text));
    return this.#written;
  }
}
