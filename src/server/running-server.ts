import type { Control } from './control/control.js';
import type { SeededKey } from './seed/plan.js';

/** A server that answers. */
export interface RunningServer {
  /** Where it answers, without a trailing slash. */
  readonly url: string;
  /** PEM file of the authority that issued the certificate; absent with plain HTTP or a certificate of one's own. */
  readonly caFile?: string;
  /** The first API key, and its secret. */
  readonly keyId: string;
  readonly secret: string;
  /** ID of the organization that the key belongs to. */
  readonly organization: string;
  /** The data directory; absent when nothing is kept. */
  readonly data?: string;
  /** Where the shared database is, without user and password; absent when there is none. */
  readonly database?: string;
  /** The keys of the seed, with their secrets; absent without a seed. */
  readonly seededKeys?: readonly SeededKey[];
  /** The bearer token of the control API under `/_control`. */
  readonly controlToken: string;
  /**
   * A link to the management console that admits one browser; absent without a console. `control.consoleLink` makes
   * others.
   */
  readonly console?: string;
  /** Steers the server: snapshots, clock, faults, quotas, keys, journal. */
  readonly control: Control;
  /** Finishes requests in progress, within 5 seconds, then releases everything. */
  close(): Promise<void>;
  /** As `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
