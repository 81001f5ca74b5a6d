import type { Refusal } from '../explain/refusal.js';
import { redactedBody, redactedHeaders, redactedPath } from './redact-request.js';

/** Requests that are kept (contract, section 5). */
const capacity = 1000;

/** Bytes of a body that are kept; of a longer one only its length. */
const keptBodyBytes = 16_384;

/** A request and its answer, as they were. */
export interface Exchange {
  /** When it was answered: milliseconds since the epoch, by the server's clock. */
  readonly time: number;
  readonly method: string;
  /** As on the request line. */
  readonly target: string;
  /** Absent when the connection was cut before anything was done. */
  readonly status?: number | undefined;
  readonly milliseconds: number;
  /** Name and value by turns, as Node has them. */
  readonly rawHeaders: readonly string[];
  /** As received; `undefined` when it was not read, or not to its end. */
  readonly body?: Buffer | undefined;
  /** The key it was authenticated with, or the one that it claims. */
  readonly keyId?: string | undefined;
  /** The organization of the key it was authenticated with. */
  readonly organization?: string | undefined;
  /** The fault rule that was applied. */
  readonly fault?: string | undefined;
}

/** A request and its answer, fit to be shown: secrets, passwords, credentials and signatures are masked. */
export interface JournalEntry {
  /** ISO 8601, by the server's clock. */
  readonly time: string;
  readonly method: string;
  readonly target: string;
  /** `null` when the connection was cut before anything was done. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The key it was authenticated with, or the one that it claims. */
  readonly keyId?: string | undefined;
  /** The organization of the key it was authenticated with. */
  readonly organization?: string | undefined;
  /** Names in lower case; the values of a name that occurs twice are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body, in bytes. */
  readonly bodyBytes: number;
  /** The JSON value, or text that is none; absent without a body, and with one over 16 KiB. */
  readonly body?: unknown;
  /** Why it was refused; absent when it was not. */
  readonly refusal?: Refusal | undefined;
  /** The fault rule that was applied. */
  readonly fault?: string | undefined;
}

interface Kept extends Omit<Exchange, 'rawHeaders'> {
  /** Names and values, a line each. */
  readonly head: string;
  readonly bodyBytes: number;
  readonly explain: Explain | undefined;
}

/** Says why a request was refused: the same each time, and only the first time it takes work. */
export type Explain = () => Refusal;

/** The last 1,000 requests. They are kept as they came and redacted when they are read: most are never read. */
export class Journal {
  #kept: Kept[] = [];
  /** Where the next one goes once all places are taken: the oldest. */
  #next = 0;

  /** Keeps an exchange; with `explain` it was refused. */
  add(exchange: Exchange, explain?: Explain): void {
    const kept = keptOf(exchange, explain);
    if (this.#kept.length < capacity) this.#kept.push(kept);
    else this.#kept[this.#next] = kept;
    this.#next = (this.#next + 1) % capacity;
  }

  /** The newest `limit` entries of those asked for, oldest first. */
  entries({ limit = capacity, refused }: JournalQuery = {}): JournalEntry[] {
    const isFull = this.#kept.length === capacity;
    const inOrder = isFull
      ? [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)]
      : this.#kept;
    const wanted =
      refused === undefined ? inOrder : inOrder.filter(({ explain }) => (explain !== undefined) === refused);
    return wanted.slice(Math.max(0, wanted.length - limit)).map(entryOf);
  }

  clear(): void {
    this.#kept = [];
    this.#next = 0;
  }
}

/** Which entries are wanted. */
export interface JournalQuery {
  /** How many at most; default all. */
  readonly limit?: number | undefined;
  /** Only the refused, or only the others. */
  readonly refused?: boolean | undefined;
}

/**
 * An exchange as few objects, written out because a spread is slower: what is kept is young, and the garbage collector
 * copies each object of it twice.
 */
function keptOf(exchange: Exchange, explain: Explain | undefined): Kept {
  const { time, method, target, status, milliseconds, rawHeaders, body, keyId, organization, fault } =
    exchange;
  const bodyBytes = body?.byteLength ?? 0;
  return {
    time,
    method,
    target,
    status,
    milliseconds,
    head: rawHeaders.join('\n'),
    body: bodyBytes === 0 || bodyBytes > keptBodyBytes ? undefined : body,
    keyId,
    organization,
    fault,
    bodyBytes,
    explain,
  };
}

function entryOf(kept: Kept): JournalEntry {
  const { time, method, target, status, milliseconds, head, body, bodyBytes, explain, ...rest } = kept;
  return {
    time: new Date(time).toISOString(),
    method,
    target: redactedPath(target),
    status: status ?? null,
    milliseconds,
    ...rest,
    headers: redactedHeaders(head.split('\n')),
    bodyBytes,
    ...(body !== undefined && { body: redactedBody(body) }),
    ...(explain && { refusal: explain() }),
  };
}
