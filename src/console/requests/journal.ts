import { computed, signal } from '@preact/signals';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import { journalCapacity } from '../../api/control/control-events.js';
import type { News } from '../session/stream.js';
import { nameFailure } from './failure-names.js';

export interface JournalRow {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly target: string;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly keyId: string | undefined;
  readonly check: string | undefined;
  /** Searchable text, in lower case. */
  readonly words: string;
}

/** The stored requests that match the server's filters, newest last. `search` selects which of them are shown. */
export class JournalRows {
  #rows: JournalRow[] = [];
  /** The rows at the moment of the pause. */
  readonly #held = signal<readonly JournalRow[] | undefined>(undefined);
  readonly #version = signal(0);
  /** How many requests arrived too fast for this page. */
  readonly missed = signal(0);
  readonly search = signal('');
  readonly #isThere = signal(false);
  readonly shown = computed((): readonly JournalRow[] => {
    this.#version.value;
    const wanted = this.search.value.toLowerCase().split(/\s+/);
    return (this.#held.value ?? this.#rows).filter(({ words }) =>
      wanted.every((word) => words.includes(word)),
    );
  });
  readonly isEmpty = computed(() => this.#isThere.value && this.shown.value.length === 0);
  /** Whether the server has had requests, which may have been cleared. */
  readonly hadAny = signal(false);
  readonly isPaused = computed(() => this.#held.value !== undefined);
  readonly waiting = computed(() => {
    this.#version.value;
    const last = this.#held.value?.at(-1)?.id ?? 0;
    return this.#held.value === undefined
      ? 0
      : this.#rows.length - this.#rows.findLastIndex(({ id }) => id <= last) - 1;
  });

  take({ entries, missed, last }: News): void {
    // A new array each time, because a pause holds the old one.
    const rows = [...this.#rows, ...entries.map(toRow)];
    // The server has no details of older requests.
    this.#rows = rows.filter(({ id }) => id > last - journalCapacity);
    this.missed.value = this.missed.peek() + missed;
    this.hadAny.value = last > 0;
    this.#isThere.value = true;
    this.#version.value += 1;
  }

  turn(): void {
    this.#held.value = this.isPaused.peek() ? undefined : this.#rows;
  }

  clear(): void {
    this.#rows = [];
    this.#held.value = undefined;
    this.missed.value = 0;
    this.#version.value += 1;
  }
}

function toRow({
  id,
  time,
  method,
  target,
  status,
  milliseconds,
  keyId,
  refusal,
}: JournalEntryAnswer): JournalRow {
  const { check, reason, mistake } = refusal ?? {};
  const failure = check && nameFailure(check);
  const words = [method, target, status ?? 'dropped', keyId, failure, reason, mistake]
    .join(' ')
    .toLowerCase();
  return { id, time, method, target, status, milliseconds, keyId, check, words };
}
