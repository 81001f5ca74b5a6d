import type { SignedDifference } from '../../signing/index.js';

/**
 * The checks that a request can fail, in the order of the contract (section 5). `request` is HTTP itself, `fault` a
 * rule of `faults`, `server` an unexpected error.
 */
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

/** Why a check failed, in words that may be logged: no secret, password, credential or valid signature is in them. */
export interface Explanation {
  /** A sentence without a full stop. */
  readonly reason: string;
  /** Seconds by which the timestamp is ahead of the server's clock; negative when it is behind. */
  readonly skew?: number;
  /** What to change in the client: an imperative sentence without a full stop, in lower case. */
  readonly advice?: string;
  /** The known mistake that reproduces the signature (contract, section 4), such as `query-missing`. */
  readonly mistake?: string;
  /** The canonical string of the request as received, on one line with its line ends visible. */
  readonly canonical?: string;
  /** What was signed instead, by the known mistake. */
  readonly signed?: string;
  /** Where the two first differ. */
  readonly difference?: SignedDifference;
}

/** Why a request was refused. */
export interface Refusal extends Explanation {
  readonly check: Check;
}
