import type { Contents, StoredContent } from '../../storage/contents.js';
import { HttpError } from '../http/http-error.js';
import type { Limits } from '../http/limits.js';
import type { TakenSnapshot } from './control.js';

const keptSnapshots = 100;

interface KeptSnapshot {
  readonly content: StoredContent;
  readonly time: string;
  readonly bytes: number;
}

/** Snapshots in memory, limited by number and bytes; the oldest are dropped. */
export class Snapshots {
  readonly #contents: Pick<Contents, 'read' | 'bytes'>;
  readonly #maxBytes: number;
  readonly #kept = new Map<string, KeptSnapshot>();
  #taken = 0;
  #bytes = 0;

  constructor(contents: Pick<Contents, 'read' | 'bytes'>, { snapshotBytes }: Pick<Limits, 'snapshotBytes'>) {
    this.#contents = contents;
    this.#maxBytes = snapshotBytes;
  }

  /** @throws HttpError 413, and drops nothing, if the data exceeds the limit */
  async take(now: () => number): Promise<string> {
    const bytes = await this.#contents.bytes();
    if (bytes > this.#maxBytes) {
      throw new HttpError(
        413,
        `The data is ${mebibytes(bytes)}, but all snapshots together are limited to ${mebibytes(this.#maxBytes)}`,
      );
    }
    const content = await this.#contents.read();
    this.#taken += 1;
    const name = nameSnapshot(this.#taken);
    this.#kept.set(name, { content, bytes, time: new Date(now()).toISOString() });
    this.#bytes += bytes;
    this.#dropOldest();
    return name;
  }

  contentOf(name: string): StoredContent {
    const found = this.#kept.get(name);
    if (found !== undefined) return found.content;
    const nth = /^snapshot_([1-9]\d{0,9})$/.exec(name)?.[1];
    const wasTaken = nth !== undefined && Number(nth) <= this.#taken;
    const limit = `the server keeps the last ${keptSnapshots}, up to ${mebibytes(this.#maxBytes)} in total`;
    const snapshot = `snapshot ${JSON.stringify(name)}`;
    throw new HttpError(404, wasTaken ? `${snapshot} was dropped: ${limit}` : `${snapshot} not found`);
  }

  list(): TakenSnapshot[] {
    return [...this.#kept].map(([snapshot, { time }]) => ({ snapshot, time }));
  }

  #dropOldest(): void {
    for (const [name, { bytes }] of this.#kept) {
      if (this.#kept.size <= keptSnapshots && this.#bytes <= this.#maxBytes) return;
      this.#kept.delete(name);
      this.#bytes -= bytes;
    }
  }
}

function nameSnapshot(nth: number): string {
  return `snapshot_${nth}`;
}

function mebibytes(bytes: number): string {
  const count = Math.max(0.1, bytes / (1024 * 1024));
  return `${count < 10 ? count.toFixed(1) : Math.round(count)} MiB`;
}
