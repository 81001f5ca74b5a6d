const maxEntries = 10_000;

/** Forgets all values together: at a write, or if they are too old or too many. */
export class ReadCache<Value> {
  readonly #values = new Map<string, Value>();
  readonly #loading = new Map<string, Promise<Value | undefined>>();
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

  /** Concurrent reads share a load. A value that was read during a write is not cached: it may be outdated. */
  async read(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.kept(key);
    if (kept !== undefined) return kept;
    const writes = this.#writes;
    const loading = this.#loading.get(key) ?? load();
    this.#loading.set(key, loading);
    try {
      const value = await loading;
      if (value !== undefined && writes === this.#writes) this.#values.set(key, value);
      return value;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  /** Call it after the commit and before the response. */
  forgetAll(): void {
    this.#writes += 1;
    this.#since = performance.now();
    this.#values.clear();
    this.#loading.clear();
  }
}
