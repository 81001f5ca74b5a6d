import type { IncomingMessage } from 'node:http';
import { decodeContent } from '../client/exchange/exchange.js';
import { findValues, type RawHeaders } from './headers.js';

const maxDecoded = 4 * 1024 * 1024;

/** A copy of a body; of one over `limit` bytes, only the length. */
export class BodyCopy {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  /** Bytes of the body that passed, copied or not. */
  length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.isWhole) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  get isWhole(): boolean {
    return this.length <= this.#limit;
  }

  /** Empty unless the copy is whole. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Undoes `Content-Encoding`, if possible. */
  decode(headers: RawHeaders): Buffer | undefined {
    const [coding, ...others] = findValues(headers, 'content-encoding');
    return this.isWhole && others.length === 0 ? decodeContent(this.bytes, coding, maxDecoded) : undefined;
  }
}

/**
 * `passed`: the service's response reached the client whole. `refused`: the proxy refused the request, perhaps by a fault
 * rule. `failed`: 502 or 504. `cut-off`: the proxy closed the client's connection. `abandoned`: the client broke off.
 */
export type Outcome = 'passed' | 'refused' | 'failed' | 'cut-off' | 'abandoned';

/** The service's response, or the proxy's own. */
export interface ExchangeResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: BodyCopy;
}

const keptRequest = 1024 * 1024;

/** One request and its outcome. Nothing is masked, so it may contain secrets. */
export class ProxiedExchange {
  readonly method: string;
  readonly target: Buffer;
  readonly requestHeaders: RawHeaders;
  readonly requestBody = new BodyCopy(keptRequest);
  readonly startedAt = Date.now();
  readonly #started = performance.now();
  milliseconds = 0;
  /** Whether the proxy added the credential of its profile. */
  isSigned = false;
  /** Absent if the client got no response. */
  response: ExchangeResponse | undefined;
  outcome: Outcome = 'abandoned';
  problem: string | undefined;
  fault: string | undefined;
  isEnded = false;

  constructor({ method = '', url = '', rawHeaders }: IncomingMessage) {
    this.method = method;
    this.target = Buffer.from(url, 'latin1');
    this.requestHeaders = rawHeaders;
  }

  /** Records how the exchange ended. @returns false if that was recorded before */
  end(outcome: Outcome, problem?: string): boolean {
    if (this.isEnded) return false;
    this.isEnded = true;
    this.outcome = outcome;
    this.problem = problem;
    this.milliseconds = performance.now() - this.#started;
    return true;
  }
}

/** Called with every finished exchange. Must not throw or block. */
export type Observer = (exchange: ProxiedExchange) => void;
