import type { Control } from './control/control.js';
import type { ProfileKeys } from './options/server-options.js';
import type { SeededKey } from './seed/initial-state.js';

/** A running server. */
export interface RunningServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** PEM file of the issuing authority; absent with plain HTTP or a custom certificate. */
  readonly caFile?: string;
  /** The first API key's ID. */
  readonly keyId: string;
  readonly secret: string;
  readonly organization: string;
  readonly data?: string;
  /** The shared database, without user and password. */
  readonly database?: string;
  /** Keys for a profile of this server. */
  readonly profileKeys: ProfileKeys;
  /** The seed's keys that exist, with their secrets; absent without a seed. */
  readonly seededKeys?: readonly SeededKey[];
  /** The bearer token of the control API under `/_control`. */
  readonly controlToken: string;
  /** A link to the console for one browser, if there is a console; `control.consoleLink` creates more. */
  readonly console?: string;
  /** Controls the server while it runs; the journal is readable even after `close`. */
  readonly control: Control;
  /** Gives requests in progress up to 5 seconds to finish, then releases everything. */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
