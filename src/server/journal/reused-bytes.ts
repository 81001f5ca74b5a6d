/** Bytes; content of up to this size does not keep a larger buffer. */
const usualBytes = 4096;

/** Frequently replaced content in a reused buffer: the garbage collector has nothing to copy. */
export class ReusedBytes {
  #buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Stores text in Latin-1, as Node reads headers. */
  setText(text: string): void {
    this.#prepare(text.length);
    this.#buffer.write(text, 'latin1');
  }

  set(bytes: Buffer): void {
    this.#prepare(bytes.length);
    bytes.copy(this.#buffer);
  }

  toText(): string {
    return this.#buffer.toString('latin1', 0, this.#length);
  }

  /** A copy, which later content does not change. */
  toBytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  #prepare(length: number): void {
    this.#length = length;
    const isRight =
      length <= this.#buffer.length && (this.#buffer.length <= usualBytes || length > usualBytes);
    // Rounded up, so that content of nearly the same length fits.
    if (!isRight) this.#buffer = Buffer.allocUnsafeSlow(length <= usualBytes ? roundUp(length) : length);
  }
}

function roundUp(length: number): number {
  return Math.ceil(length / 512) * 512;
}
