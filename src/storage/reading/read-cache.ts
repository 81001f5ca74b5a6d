import { LruMap } from '../../platform/lru-map.js';

export interface ReadCacheOptions {
  readonly absent?: number;
  readonly maxAge?: number;
  readonly clock?: () => number;
}

/**
 * Values kept from one read to the next, until a write makes them stale. A read that a write overtook is not kept:
 * it may have seen the row as it was before.
 */
export class ReadCache<Value> {
  readonly #values: LruMap<string, Value>;
  /** Keys known to be absent. */
  readonly #absent: LruMap<string, true>;
  readonly #capacity: number;
  readonly #maxAge: number;
  readonly #clock: () => number;
  /** Pending reads, by key, shared by concurrent requests. */
  readonly #loads = new Map<string, Promise<Value | undefined>>();
  #writes = 0;
  /** When everything was forgotten last. */
  #since: number;

  /**
   * @param capacity how many values are kept, the one used longest ago giving way; 0 keeps none
   * @param options `absent`: of how many keys it is kept, too, that there is nothing, apart from the values, so that
   * no flood of them drives these out; `maxAge`: milliseconds after which everything is forgotten, where others write
   * what is cached here; `clock`: milliseconds that only ever go forward
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

  /** The value that is kept, or else the one that `load` answers. */
  async read(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    if (this.#capacity === 0) return load();
    const value = this.kept(key);
    if (value !== undefined || this.#absent.get(key)) return value;
    return this.#loads.get(key) ?? this.#begin(key, load);
  }

  /** The value that is kept; `undefined` when there is none, or nothing is known of it. */
  kept(key: string): Value | undefined {
    if (this.#maxAge !== Number.POSITIVE_INFINITY) this.#expire();
    return this.#values.get(key);
  }

  /** To be called after the write is committed, and before anyone learns of it. */
  forget(key: string): void {
    this.#writes += 1;
    this.#values.delete(key);
    this.#absent.delete(key);
    this.#loads.delete(key);
  }

  /** As `forget`, after a write that may have changed anything. */
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

  // All at once, so that entries need no time of their own.
  #expire(): void {
    const now = this.#clock();
    if (now - this.#since < this.#maxAge) return;
    this.#since = now;
    this.forgetAll();
  }
}
