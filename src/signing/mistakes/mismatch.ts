import type { ExplainableRequest } from './attempt/signing-attempt.js';

/** A signature that does not match, and its context. */
export interface Mismatch {
  readonly secret: string;
  readonly request: ExplainableRequest;
  readonly signature: string;
}
