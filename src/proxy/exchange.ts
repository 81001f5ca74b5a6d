import type { IncomingMessage } from 'node:http';
import { BodyCopy, type KeptBody } from './body.js';

export type Outcome =
  /** The service's response reached the client whole. */
  | 'passed'
  /** The proxy refused the request, or answered it as a fault rule says. */
  | 'refused'
  /** The service gave no usable response: the proxy answered 502 or 504. */
  | 'failed'
  /** The proxy closed the client's connection: the service's response broke off, or a fault rule applied. */
  | 'cut-off'
  /** The client left early, or stopped reading. */
  | 'abandoned';

/** The service's response, or the proxy's own. */
export interface ExchangeResponse {
  readonly status: number;
  /** Alternating names and values, as the client got them. */
  readonly headers: readonly string[];
  readonly body: KeptBody;
}

/** One request and its outcome. Nothing is masked, so it may contain secrets. */
export interface ProxiedExchange {
  readonly method: string;
  /** The bytes of the request target. */
  readonly target: Buffer;
  /** Alternating names and values, as received. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: KeptBody;
  /** Whether the proxy added the credential of its profile. */
  readonly isSigned: boolean;
  /** Absent if the client got no response. */
  readonly response: ExchangeResponse | undefined;
  /** When it began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly outcome: Outcome;
  readonly problem: string | undefined;
  readonly fault: string | undefined;
}

/** Called with every finished exchange. Must not throw or block. */
export type Observer = (exchange: ProxiedExchange) => void;

/** Maximum bytes of a body to copy for observers. */
export interface KeptBytes {
  readonly request: number;
  readonly response: number;
}

/** The state of one exchange while it lasts. */
export class ExchangeNotes {
  readonly #startedAt = Date.now();
  readonly #started = performance.now();
  readonly request: BodyCopy;
  readonly response: BodyCopy;
  head: { readonly status: number; readonly headers: readonly string[] } | undefined;
  outcome: Outcome | undefined;
  problem: string | undefined;
  fault: string | undefined;
  isSigned = false;

  constructor(kept: KeptBytes) {
    this.request = new BodyCopy(kept.request);
    this.response = new BodyCopy(kept.response);
  }

  /** Records how the exchange ended, unless an outcome is already recorded. @returns whether it was recorded */
  end(outcome: Outcome, problem?: string): boolean {
    if (this.outcome !== undefined) return false;
    this.outcome = outcome;
    this.problem = problem;
    return true;
  }

  toExchange({ method = '', url = '', rawHeaders }: IncomingMessage): ProxiedExchange {
    const { outcome = 'abandoned', problem, fault, isSigned } = this;
    return {
      method,
      target: Buffer.from(url, 'latin1'),
      requestHeaders: rawHeaders,
      requestBody: this.request.read(),
      isSigned,
      response: this.head && { ...this.head, body: this.response.read() },
      startedAt: this.#startedAt,
      milliseconds: performance.now() - this.#started,
      outcome,
      problem,
      fault,
    };
  }
}
