import type { ApiKeys } from '../../storage/api-keys.js';

const writeDelay = 1000;

/** Records in the background when keys were last used. Reads on this server see a use immediately. */
export class UsageRecorder {
  readonly #apiKeys: ApiKeys;
  readonly #clock: () => number;
  readonly #onError: (error: unknown) => void;
  /** Not written yet: times by key. */
  readonly #uses = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #written = Promise.resolve();

  constructor(apiKeys: ApiKeys, clock: () => number, onError: (error: unknown) => void) {
    [this.#apiKeys, this.#clock, this.#onError] = [apiKeys, clock, onError];
    apiKeys.overlayUses(() => {
      // A copy, because a write may end during a read.
      const uses = new Map(this.#uses);
      return (keyId) => uses.get(keyId);
    });
  }

  record(keyId: string): void {
    this.#uses.set(keyId, new Date(this.#clock()).toISOString());
    this.#timer ??= setTimeout(() => void this.flush(), writeDelay).unref();
  }

  /** Writes pending uses; after a failure, the next flush does. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#written.then(() => this.#write()).catch(this.#onError);
    return this.#written;
  }

  async #write(): Promise<void> {
    const uses = new Map(this.#uses);
    if (uses.size === 0) return;
    await this.#apiKeys.noteUses(uses);
    for (const [keyId, time] of uses) if (this.#uses.get(keyId) === time) this.#uses.delete(keyId);
  }
}
