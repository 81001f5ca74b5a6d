import type { KeptBody } from './exchange.js';

/** Most bytes copied of one body. */
export const maxCopiedBytes = 1024 * 1024;

/** Most bytes copied of all bodies at once. */
const maxKeptBytes = 16 * 1024 * 1024;

/** Bytes left for all copies of a proxy. */
export class CopyBudget {
  #left = maxKeptBytes;

  /** Reserves up to this many bytes; returns how many. */
  take(wanted: number): number {
    const taken = Math.min(wanted, this.#left);
    this.#left -= taken;
    return taken;
  }

  giveBack(taken: number): void {
    this.#left += taken;
  }
}

const none = Buffer.alloc(0);

export class BodyCopy {
  readonly #budget: CopyBudget | undefined;
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #kept = 0;
  #length = 0;

  /** @param budget none: copies nothing @param limit bytes */
  constructor(budget: CopyBudget | undefined, limit: number) {
    this.#budget = budget;
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    const isWhole = this.#kept === this.#length;
    this.#length += chunk.length;
    if (this.#budget === undefined || !isWhole) return;
    const taken = this.#budget.take(Math.min(chunk.length, this.#limit - this.#kept));
    // A part of a chunk would keep all of it in memory.
    if (taken === chunk.length) this.#chunks.push(chunk);
    else if (taken > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, taken)));
    this.#kept += taken;
  }

  /** Takes the copy, once, and returns its bytes to the budget. */
  read(): KeptBody {
    const [only = none, ...others] = this.#chunks;
    const bytes = others.length === 0 ? only : Buffer.concat(this.#chunks);
    this.#budget?.giveBack(this.#kept);
    this.#chunks = [];
    const body = { bytes, length: this.#length, isWhole: this.#kept === this.#length };
    this.#kept = 0;
    return body;
  }
}
