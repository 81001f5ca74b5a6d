import type { Contents, StoredContent } from '../../storage/contents.js';
import { HttpError } from '../http/http-error.js';
import type { TakenSnapshot } from './control.js';

const keptSnapshots = 100;

interface KeptSnapshot extends TakenSnapshot {
  readonly content: StoredContent;
  readonly bytes: number;
}

/** Snapshots in memory, limited by number and bytes; the oldest are dropped. */
export class Snapshots {
  readonly #contents: Contents;
  readonly #maxBytes: number;
  #kept: KeptSnapshot[] = [];
  #taken = 0;

  constructor(contents: Contents, maxBytes: number) {
    this.#contents = contents;
    this.#maxBytes = maxBytes;
  }

  /** @param time by the server's clock @throws HttpError 413, and drops nothing, if the data exceeds the limit */
  async take(time: string): Promise<string> {
    const bytes = await this.#contents.bytes();
    if (bytes > this.#maxBytes) {
      const limit = mebibytes(this.#maxBytes);
      throw new HttpError(
        413,
        `The data is ${mebibytes(bytes)}, but all snapshots together are limited to ${limit}`,
      );
    }
    const content = await this.#contents.read();
    this.#taken += 1;
    const snapshot = `snapshot_${this.#taken}`;
    this.#kept = [...this.#kept, { snapshot, time, content, bytes }].slice(-keptSnapshots);
    while (this.#kept.reduce((sum, kept) => sum + kept.bytes, 0) > this.#maxBytes) this.#kept.shift();
    return snapshot;
  }

  /** @throws HttpError 404 */
  contentOf(name: string): StoredContent {
    const found = this.#kept.find(({ snapshot }) => snapshot === name);
    if (found === undefined)
      throw new HttpError(404, `snapshot ${JSON.stringify(name)} not found: the oldest ones are dropped`);
    return found.content;
  }

  list(): TakenSnapshot[] {
    return this.#kept.map(({ snapshot, time }) => ({ snapshot, time }));
  }
}

function mebibytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}
