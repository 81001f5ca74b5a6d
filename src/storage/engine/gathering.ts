import { setImmediate } from 'node:timers/promises';

/** Items of one group: beyond this many, the first of them would wait for long. */
const groupSize = 256;

/**
 * Gathers what comes while the group before is under way: what a commit costs is waiting for the disk, however much
 * is in it.
 */
export class Gathering<Item> {
  readonly #commit: (group: readonly Item[]) => Promise<void>;
  readonly #onEmpty: () => void;
  #waiting: Item[] = [];
  #draining: Promise<void> | undefined;

  /** @param commit tells each item of a group what became of it, and throws nothing */
  constructor(commit: (group: readonly Item[]) => Promise<void>, onEmpty: () => void = () => undefined) {
    this.#commit = commit;
    this.#onEmpty = onEmpty;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#draining ??= this.#drain();
  }

  /** When nothing waits and nothing is under way. */
  async settled(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // What waits for the commit before is told and answered first, then what has arrived by now is read, so that
      // its writes come along.
      await setImmediate();
      await setImmediate();
      await this.#commit(this.#waiting.splice(0, groupSize));
    }
    this.#draining = undefined;
    this.#onEmpty();
  }
}
