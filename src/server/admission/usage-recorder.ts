import type { ApiKeys } from '../../storage/api-keys.js';

const writeDelay = 1000;

/** Records in the background when keys were last used. Reads on this server see a use immediately. */
export class UsageRecorder {
  readonly #apiKeys: Pick<ApiKeys, 'noteUses' | 'overlayUses'>;
  readonly #clock: () => number;
  readonly #onError: (error: unknown) => void;
  #uses = new Map<string, number>();
  #writing: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #written = Promise.resolve();

  constructor(
    apiKeys: Pick<ApiKeys, 'noteUses' | 'overlayUses'>,
    clock: () => number,
    onError: (error: unknown) => void,
  ) {
    this.#apiKeys = apiKeys;
    this.#clock = clock;
    this.#onError = onError;
    // Reads may run during a write, so maps are replaced, never emptied.
    apiKeys.overlayUses(() => {
      const [uses, writing] = [this.#uses, this.#writing];
      return (keyId) => {
        const usedAt = uses.get(keyId) ?? writing.get(keyId);
        return usedAt === undefined ? undefined : new Date(usedAt).toISOString();
      };
    });
  }

  record(keyId: string): void {
    this.#uses.set(keyId, this.#clock());
    this.#timer ??= setTimeout(() => void this.flush(), writeDelay).unref();
  }

  /** Writes pending uses. If that fails, reports the error and keeps the uses for the next flush. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#written.then(() => this.#write());
    return this.#written;
  }

  async #write(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    this.#writing = uses;
    try {
      await this.#apiKeys.noteUses(
        new Map([...uses].map(([keyId, time]) => [keyId, new Date(time).toISOString()])),
      );
    } catch (error) {
      this.#onError(error);
      this.#uses = new Map([...uses, ...this.#uses]);
    }
    this.#writing = new Map();
  }
}
