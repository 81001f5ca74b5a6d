import { LruMap } from '../../platform/lru-map.js';

export interface ReadCacheOptions {
  readonly absent?: number;
  readonly maxAge?: number;
  readonly clock?: () => number;
}

/** Caches values until a write. Does not cache a value that was read during a write: it may be outdated. */
export class ReadCache<Value> {
  readonly #values: LruMap<string, Value>;
  readonly #absent: LruMap<string, true>;
  readonly #capacity: number;
  readonly #maxAge: number;
  readonly #clock: () => number;
  readonly #loads = new Map<string, Promise<Value | undefined>>();
  #writes = 0;
  #since: number;

  /**
   * @param capacity maximum number of values; 0 disables the cache
   * @param options `absent`: a separate capacity for absent keys, so that they evict no values; `maxAge`:
   * milliseconds until everything expires, if other servers write too; `clock`: monotonic milliseconds
   */
  constructor(capacity: number, options: ReadCacheOptions = {}) {
    const { absent = 0, maxAge = Number.POSITIVE_INFINITY, clock = () => performance.now() } = options;
    this.#capacity = capacity;
    this.#values = new LruMap(capacity);
    this.#absent = new LruMap(absent);
    this.#maxAge = maxAge;
    this.#clock = clock;
    this.#since = clock();
  }

  async read(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    if (this.#capacity === 0) return load();
    const value = this.kept(key);
    if (value !== undefined || this.#absent.get(key)) return value;
    return this.#loads.get(key) ?? this.#begin(key, load);
  }

  kept(key: string): Value | undefined {
    if (this.#maxAge !== Number.POSITIVE_INFINITY) this.#expire();
    return this.#values.get(key);
  }

  /** Call it after the commit and before the response. */
  forget(key: string): void {
    this.#writes += 1;
    this.#values.delete(key);
    this.#absent.delete(key);
    this.#loads.delete(key);
  }

  forgetAll(): void {
    this.#writes += 1;
    this.#values.clear();
    this.#absent.clear();
    this.#loads.clear();
  }

  #begin(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const loading = this.#load(key, load).finally(() => {
      if (this.#loads.get(key) === loading) this.#loads.delete(key);
    });
    this.#loads.set(key, loading);
    return loading;
  }

  async #load(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const writes = this.#writes;
    const value = await load();
    if (writes !== this.#writes) return value;
    if (value === undefined) this.#absent.set(key, true);
    else this.#values.set(key, value);
    return value;
  }

  // Expires everything at once, so that entries need no timestamps.
  #expire(): void {
    const now = this.#clock();
    if (now - this.#since < this.#maxAge) return;
    this.#since = now;
    this.forgetAll();
  }
}
