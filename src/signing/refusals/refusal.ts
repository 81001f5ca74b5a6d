import type { Correction } from '../mistakes/corrections.js';
import type { SignedDifference } from '../mistakes/signed-instead.js';

/** In the order of the checks. `request` is HTTP itself, `server` an unexpected error. */
export type Check =
  | 'request'
  | 'credentials'
  | 'format'
  | 'key'
  | 'timestamp'
  | 'signature'
  | 'secret'
  | 'enabled'
  | 'rate-limit'
  | 'route'
  | 'query'
  | 'body'
  | 'quota'
  | 'fault'
  | 'server';

/** Why a check failed; safe to log: without secret, password or valid signature. */
export interface Explanation {
  readonly reason: string;
  /** Seconds ahead of the server's clock; negative when behind. */
  readonly skew?: number;
  readonly advice?: string;
  /** The known mistake that reproduces the signature, such as `query-missing`. */
  readonly mistake?: string;
  readonly canonical?: string;
  readonly signed?: string;
  readonly difference?: SignedDifference;
  /** The client's changes, part by part. */
  readonly corrections?: readonly Correction[];
}

/** Why a request was refused. */
export interface Refusal extends Explanation {
  readonly check: Check;
}

/** What it takes to explain a refusal. */
export interface RefusalCause {
  readonly check?: Check | undefined;
  /** For log and journal, thoroughly or superficially; never in the response. */
  readonly explain?: ((thoroughly: boolean) => Explanation) | undefined;
  /** Whether explaining is expensive, and so limited. */
  readonly takesWork?: boolean | undefined;
}
