import type { KeptBody } from './exchange.js';

/** Maximum bytes of a copied body. */
export const maxCopiedBytes = 1024 * 1024;

/** Maximum bytes of all copies that a proxy holds at once. */
const maxKeptBytes = 16 * 1024 * 1024;

/** The bytes left for a proxy's body copies. */
export class CopyBudget {
  #left = maxKeptBytes;

  /** @returns whether there was room */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(taken: number): void {
    this.#left += taken;
  }
}

const none = Buffer.alloc(0);

/** A copy of a whole body, or nothing: observers have no use for a part. */
export class BodyCopy {
  readonly #budget: CopyBudget | undefined;
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #kept = 0;
  #length = 0;
  #isWhole = true;

  /** @param budget if `undefined`, nothing is copied @param limit maximum bytes of a body to copy */
  constructor(budget: CopyBudget | undefined, limit: number) {
    this.#budget = budget;
    this.#limit = limit;
  }

  /** @param length the announced length; nothing is copied if it exceeds the limit */
  expect(length: number): void {
    if (length > this.#limit) this.#isWhole = false;
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length;
    if (!this.#isWhole || chunk.length === 0) return;
    this.#isWhole = this.#length <= this.#limit && this.#budget?.take(chunk.length) === true;
    if (!this.#isWhole) return void this.#drop();
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
  }

  /** Hands over the copy and gives its bytes back to the budget; call it once. */
  read(): KeptBody {
    const [only = none, ...others] = this.#chunks;
    const bytes = others.length === 0 ? only : Buffer.concat(this.#chunks);
    this.#drop();
    return { bytes, length: this.#length, isWhole: this.#isWhole || this.#length === 0 };
  }

  #drop(): void {
    this.#budget?.giveBack(this.#kept);
    this.#chunks = [];
    this.#kept = 0;
  }
}
