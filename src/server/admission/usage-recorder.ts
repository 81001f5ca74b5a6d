import type { ApiKeys, PendingUses } from '../../storage/api-keys.js';

const writeDelay = 1000;

export interface UsageRecorderOptions {
  readonly apiKeys: Pick<ApiKeys, 'noteUses' | 'overlayUses'>;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}

/** Records in the background when keys were last used. Reads on this server see a use immediately. */
export class UsageRecorder {
  readonly #options: UsageRecorderOptions;
  #uses = new Map<string, number>();
  #writing: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #written = Promise.resolve();

  constructor(options: UsageRecorderOptions) {
    this.#options = options;
    options.apiKeys.overlayUses(() => this.#pending());
  }

  record(keyId: string): void {
    this.#uses.set(keyId, this.#options.clock());
    this.#timer ??= setTimeout(() => void this.flush(), writeDelay).unref();
  }

  /** Writes pending uses. If that fails, reports the error and keeps the uses for the next flush. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#written.then(() => this.#write());
    return this.#written;
  }

  /** Reads may run during a write, so maps are replaced, never emptied. */
  #pending(): PendingUses {
    const uses = this.#uses;
    const writing = this.#writing;
    return (keyId) => {
      const usedAt = uses.get(keyId) ?? writing.get(keyId);
      return usedAt === undefined ? undefined : new Date(usedAt).toISOString();
    };
  }

  async #write(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    this.#writing = uses;
    const times = [...uses].map(([keyId, time]) => [keyId, new Date(time).toISOString()] as const);
    try {
      await this.#options.apiKeys.noteUses(new Map(times));
    } catch (error) {
      this.#options.onError(error);
      this.#uses = new Map([...uses, ...this.#uses]);
    }
    this.#writing = new Map();
  }
}
