import { setImmediate } from 'node:timers/promises';

/** Larger groups would delay their first items. */
const groupSize = 256;

/** Collects items while the previous group commits: a commit costs one disk flush, whatever its size. */
export class Gathering<Item> {
  readonly #commit: (group: readonly Item[]) => Promise<void>;
  readonly #onEmpty: () => void;
  #waiting: Item[] = [];
  #draining: Promise<void> | undefined;

  constructor(commit: (group: readonly Item[]) => Promise<void>, onEmpty: () => void = () => undefined) {
    this.#commit = commit;
    this.#onEmpty = onEmpty;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#draining ??= this.#drain();
  }

  async settled(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Lets the previous group's responses go out and new requests come in, so that their writes join this group.
      await setImmediate();
      await setImmediate();
      await this.#commit(this.#waiting.splice(0, groupSize));
    }
    this.#draining = undefined;
    this.#onEmpty();
  }
}
