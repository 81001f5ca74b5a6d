const maxEntries = 10_000;

/** Forgets all values together: at a write, or if they are too old or too many. */
export class ReadCache<Value> {
  readonly #values = new Map<string, Value>();
  readonly #maxAge: number;
  #writes = 0;
  #since = performance.now();

  /** @param maxAge milliseconds; 0 caches nothing */
  constructor(maxAge = Number.POSITIVE_INFINITY) {
    this.#maxAge = maxAge;
  }

  /** The value if it is in memory. */
  kept(key: string): Value | undefined {
    if (performance.now() - this.#since >= this.#maxAge || this.#values.size > maxEntries) this.forgetAll();
    return this.#values.get(key);
  }

  /** A value that was read during a write is not cached: it may be outdated. */
  async read(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.kept(key);
    if (kept !== undefined) return kept;
    const writes = this.#writes;
    const value = await load();
    if (value !== undefined && writes === this.#writes) this.#values.set(key, value);
    return value;
  }

  /** Call it after the commit and before the response. */
  forgetAll(): void {
    this.#writes += 1;
    this.#since = performance.now();
    this.#values.clear();
  }
}
