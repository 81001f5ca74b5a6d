import type { ApiKeys } from '../../storage/api-keys.js';

/** Milliseconds for which uses are gathered before they are written. */
const delay = 1000;

export interface UsageRecorderOptions {
  readonly apiKeys: ApiKeys;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}

/** Writes when keys were last used, behind the requests' backs: no answer waits for it. */
export class UsageRecorder {
  readonly #options: UsageRecorderOptions;
  #uses = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UsageRecorderOptions) {
    this.#options = options;
  }

  record(keyId: string): void {
    this.#uses.set(keyId, this.#options.clock());
    this.#timer ??= setTimeout(() => void this.flush(), delay).unref();
  }

  /**
   * Writes what was gathered. A failure is reported, not thrown, since no request depends on it; what could not be
   * written is written with the next uses.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    const times = [...uses].map(([keyId, time]) => [keyId, new Date(time).toISOString()] as const);
    await this.#options.apiKeys.noteUses(new Map(times)).catch((error: unknown) => {
      this.#options.onError(error);
      this.#uses = new Map([...uses, ...this.#uses]);
    });
  }
}
