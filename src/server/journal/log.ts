import type { Refusal } from '../../signing/refusals/refusal.js';

/** What log and journal both tell of a request. */
export interface RequestRecord {
  /** When it was answered: ISO 8601, by the server's clock. */
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
  /** The stub that answered. */
  readonly stub?: string | undefined;
}

/** What the server logs. No entry ever holds a secret, a password or a valid signature. */
export type LogEntry = RequestEntry | NoticeEntry;

/** One request to the service and its answer; with what `Refusal` says, when it was refused. */
export interface RequestEntry extends RequestRecord, Partial<Refusal> {
  readonly event: 'request';
}

/** Something that whoever runs the server should know. */
export interface NoticeEntry {
  readonly event: 'warning' | 'error';
  readonly time: string;
  readonly message: string;
}

/** Logging costs a twentieth of a request, wasted if only refused ones matter. */
export type LoggedRequests = 'all' | 'refused';

/** Gets the log, one entry at a time. */
export type Log = (entry: LogEntry) => void;

export type Notify = (event: NoticeEntry['event'], message: string) => void;

/** @param clock milliseconds since the epoch */
export function notifying(log: Log | undefined, clock: () => number): Notify {
  return (event, message) => log?.({ event, time: new Date(clock()).toISOString(), message });
}
