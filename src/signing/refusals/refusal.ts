import type { SignedDifference } from '../mistakes/explain-mismatch.js';
import type { CredentialCheck } from '../scheme.js';

/** The check that refused a request. `request` stands for HTTP itself, `server` for an unexpected error. */
export type Check =
  | CredentialCheck
  | 'request'
  | 'rate-limit'
  | 'route'
  | 'query'
  | 'body'
  | 'quota'
  | 'fault'
  | 'server';

/** For programs: a change after which the same request should work. */
export type Remedy =
  /** Sign it again, as received, with an enabled key. */
  | { readonly step: 'sign' }
  /** Change path or method; the query stays. */
  | { readonly step: 'edit'; readonly path?: string; readonly method?: string }
  | { readonly step: 'enable-key' }
  | { readonly step: 'raise-limit'; readonly kind: string; readonly limit: number };

export const usualRemedies: Readonly<Partial<Record<Check, Remedy>>> = {
  credentials: { step: 'sign' },
  format: { step: 'sign' },
  key: { step: 'sign' },
  timestamp: { step: 'sign' },
  signature: { step: 'sign' },
  secret: { step: 'sign' },
  enabled: { step: 'enable-key' },
};

/** Why a check failed. Safe to log: without secret, password or valid signature. */
export interface Explanation {
  readonly reason: string;
  /** Seconds that the timestamp is ahead of the server's clock. */
  readonly skew?: number;
  readonly advice?: string;
  readonly remedy?: Remedy;
  /** The ID of the known mistake, such as `query-missing`; `+` joins two. */
  readonly mistake?: string;
  readonly canonical?: string;
  readonly signed?: string;
  readonly difference?: SignedDifference;
}

export interface Refusal extends Explanation {
  readonly check: Check;
}

export interface RefusalCause {
  readonly check?: Check | undefined;
  /** Explains, thoroughly or superficially. For log and journal, not for the response. */
  readonly explain?: ((thoroughly: boolean) => Explanation) | undefined;
  readonly isExpensive?: boolean | undefined;
}

/** Maximum expensive explanations a second: clients choose how many refused requests they send. */
const perSecond = 20;

/** Maximum thorough ones among them: each takes as long as several superficial ones. */
const thoroughPerSecond = 3;

/** Limits how many refusals are explained in a second; the others keep their plain message. */
export class ExplainingBudget {
  #since = Number.NEGATIVE_INFINITY;
  #used = 0;

  explain(message: string, { check = 'request', explain, isExpensive }: RefusalCause): Refusal {
    if (explain === undefined) return { check, reason: message };
    if (!isExpensive) return { check, ...explain(true) };
    const now = performance.now();
    if (now - this.#since >= 1000) [this.#since, this.#used] = [now, 0];
    this.#used += 1;
    if (this.#used <= perSecond) return { check, ...explain(this.#used <= thoroughPerSecond) };
    return { check, reason: `${message} (not explained: too many refused requests at the moment)` };
  }
}
