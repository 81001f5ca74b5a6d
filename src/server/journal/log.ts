import type { Refusal } from '../explain/refusal.js';

/** What the server tells whoever runs it. No entry ever holds a secret, a password or a valid signature. */
export type LogEntry = RequestEntry | NoticeEntry;

/** One request to the service and its answer; with what `Refusal` says, when it was refused. */
export interface RequestEntry extends Partial<Refusal> {
  readonly event: 'request';
  /** ISO 8601, by the server's clock. */
  readonly time: string;
  readonly method: string;
  /** As on the request line, with the values of unknown query parameters masked. */
  readonly target: string;
  /** `null` when the connection was cut before anything was done. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The key it was authenticated with, or the one that it claims. */
  readonly keyId?: string | undefined;
  /** The organization of the key it was authenticated with. */
  readonly organization?: string | undefined;
  /** The fault rule that was applied. */
  readonly fault?: string | undefined;
}

/** Something that whoever runs the server should know. */
export interface NoticeEntry {
  readonly event: 'warning' | 'error';
  readonly time: string;
  readonly message: string;
}

/** Telling of each request takes a twentieth of its time, which is lost where only the refused are looked at. */
export type LoggedRequests = 'all' | 'refused';

export type Log = (entry: LogEntry) => void;
