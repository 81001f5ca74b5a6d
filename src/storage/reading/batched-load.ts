interface Question<Value> {
  readonly key: string;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

const rowsLoadedAtOnce = 1000;

const maxLoads = 4;

/** Batches concurrent lookups. A lookup never gets the result of a load that began before it. */
export class BatchedLoad<Value> {
  readonly #loadAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  #waiting: Question<Value>[] = [];
  #loads = 0;
  #isScheduled = false;

  constructor(loadAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#loadAll = loadAll;
  }

  /** `undefined` for an unknown key. */
  load(key: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#loads < maxLoads && this.#waiting.length > 0) this.#begin();
    });
  }

  #begin(): void {
    this.#loads += 1;
    void this.#answer(this.#waiting.splice(0, rowsLoadedAtOnce)).finally(() => {
      this.#loads -= 1;
      this.#schedule();
    });
  }

  async #answer(questions: readonly Question<Value>[]): Promise<void> {
    try {
      const values = await this.#loadAll([...new Set(questions.map(({ key }) => key))]);
      for (const { key, resolve } of questions) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }
}
