import type { Kysely } from 'kysely';
import { writeSetting } from '../database/settings.js';
import type { Tables } from '../database/tables.js';
import type { Work } from '../database/transact.js';

/** Milliseconds for which a result is reused, because each write waits for the disk. */
const holdsFor = 1_000;

/** Tests the disk by writing: nothing else shows that it is full or read-only. */
export class WriteProbe {
  readonly #write: (work: Work<void>) => Promise<void>;
  #last: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  constructor(write: (work: Work<void>) => Promise<void>) {
    this.#write = write;
  }

  ask(): Promise<void> {
    const at = performance.now();
    if (this.#last === undefined || at - this.#last.at >= holdsFor) {
      this.#last = { at, outcome: this.#write((transaction) => writeSomething(transaction, at)) };
    }
    return this.#last.outcome;
  }
}

function writeSomething(database: Kysely<Tables>, at: number): Promise<void> {
  return writeSetting(database, 'last_probe', String(at));
}
