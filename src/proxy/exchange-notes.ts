import type { IncomingMessage } from 'node:http';
import { proxyFaultStart } from '../api/error-message.js';
import { BodyCopy, type CopyBudget } from './body-copy.js';
import type { ExchangeResponse, Outcome, ProxiedExchange } from './exchange.js';

/** Maximum bytes of a body to copy. */
export interface KeptBytes {
  readonly request: number;
  readonly response: number;
}

export type ReceivedHead = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>;

/** The state of one exchange while it lasts. */
export class ExchangeNotes {
  readonly #startedAt = Date.now();
  readonly #started = performance.now();
  readonly request: BodyCopy;
  readonly response: BodyCopy;
  #headAfter: number | undefined;
  #head: Omit<ExchangeResponse, 'body'> | undefined;
  #outcome: Outcome | undefined;
  #problem: string | undefined;
  #fault: string | undefined;
  isSigned = false;
  /** Why the proxy closes the client's connection during the response, if the client is the cause. */
  clientFault: string | undefined;

  constructor(budget: CopyBudget | undefined, kept: KeptBytes) {
    this.request = new BodyCopy(budget, kept.request);
    this.response = new BodyCopy(budget, kept.response);
  }

  get hasHead(): boolean {
    return this.#head !== undefined;
  }

  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  noteHead(head: Omit<ExchangeResponse, 'body'>): void {
    this.#headAfter ??= performance.now() - this.#started;
    this.#head = head;
  }

  /** Records how the exchange ended, unless an outcome is already recorded. @returns whether it was recorded */
  end(outcome: Outcome, problem?: string): boolean {
    if (this.#outcome !== undefined) return false;
    this.#outcome = outcome;
    this.#problem = problem;
    return true;
  }

  /** Records that the client did not get the whole response, which overrides any earlier outcome. */
  abandon(): void {
    this.#outcome = 'abandoned';
    this.#problem =
      this.clientFault === undefined
        ? 'the connection to the client closed early'
        : `the proxy closed the connection: ${this.clientFault}`;
  }

  noteFault(rule: string): void {
    this.#fault = rule;
  }

  /** The finished exchange. Hands over the copied bodies, so call it once. */
  toExchange({ method = '', url = '', rawHeaders }: ReceivedHead): ProxiedExchange {
    const body = this.response.read();
    return {
      method,
      target: Buffer.from(url, 'latin1'),
      requestHeaders: rawHeaders,
      requestBody: this.request.read(),
      isSigned: this.isSigned,
      response: this.#head && { ...this.#head, body },
      startedAt: this.#startedAt,
      headAfter: this.#headAfter,
      milliseconds: performance.now() - this.#started,
      outcome: this.#outcome ?? 'abandoned',
      problem: this.#problem,
      fault: this.#fault,
    };
  }
}

export function describeFault(rule: string | undefined): string {
  return `${proxyFaultStart}${rule}`;
}
