import type { Contents, StoredContent } from '../../storage/contents.js';
import { HttpError } from '../http/answer.js';
import type { TakenSnapshot } from './control.js';

/** Snapshots are in memory. */
const keptSnapshots = 20;

/** The last 20 snapshots. */
export class Snapshots {
  readonly #contents: Contents;
  #kept: (TakenSnapshot & { readonly content: StoredContent })[] = [];
  #taken = 0;

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  /** @param time by the server's clock */
  async take(time: string): Promise<string> {
    const content = await this.#contents.read();
    this.#taken += 1;
    const snapshot = `snapshot_${this.#taken}`;
    this.#kept = [...this.#kept, { snapshot, time, content }].slice(-keptSnapshots);
    return snapshot;
  }

  /** @throws HttpError 404 */
  contentOf(name: string): StoredContent {
    const found = this.#kept.find(({ snapshot }) => snapshot === name);
    if (found !== undefined) return found.content;
    throw new HttpError(404, `snapshot ${JSON.stringify(name)} not found: the oldest ones are dropped`);
  }

  list(): TakenSnapshot[] {
    return this.#kept.map(({ snapshot, time }) => ({ snapshot, time }));
  }
}
