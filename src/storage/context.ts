import { readMessage } from '../errors/errors.js';
import { StoreBroken } from './database/store-unavailable.js';
import type { SealedColumn, StoredBytes } from './database/tables.js';
import type { Engine } from './engine/engine.js';
import type { KeyRing } from './key-ring.js';

/** What all repositories of a store share. */
export class StorageContext {
  readonly engine: Engine;
  readonly #ring: KeyRing;
  readonly #clock: () => number;

  constructor(engine: Engine, ring: KeyRing, clock: () => number) {
    this.engine = engine;
    this.#ring = ring;
    this.#clock = clock;
  }

  /** The current time: ISO 8601 in UTC, as in the tables. */
  now(): string {
    return new Date(this.#clock()).toISOString();
  }

  seal(text: string, column: SealedColumn, id: string): Buffer {
    return this.#ring.seal(text, additionalData(column, id));
  }

  /** @throws StoreBroken if the value is damaged, or its master key is not in the ring */
  open(sealed: StoredBytes, column: SealedColumn, id: string): string {
    const data = additionalData(column, id);
    try {
      return this.#ring.open(new Uint8Array(sealed), data);
    } catch (error) {
      throw new StoreBroken(this.engine.place, `${data} cannot be decrypted: ${readMessage(error)}`, {
        cause: error,
      });
    }
  }
}

export function additionalData({ table, column }: SealedColumn, id: string): string {
  return `${table}.${column} ${id}`;
}
