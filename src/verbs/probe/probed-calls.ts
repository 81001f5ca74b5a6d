import type { Answer } from '../../client/exchange/exchange.js';
import type { TimedCall } from '../../client/probing/watch-calls.js';
import type { Transport } from '../../client/transport/transport.js';
import { NetworkError, ServiceError } from '../../errors/errors.js';

export interface Reply {
  readonly call: TimedCall | undefined;
  readonly answer?: Answer;
  readonly refusal?: ServiceError;
}

/** Sends GET requests one after another within one deadline. */
export class Questioner {
  readonly #transport: Transport;
  readonly #calls: readonly TimedCall[];
  readonly #end: number;

  /** @param calls grows with each response that the transport watches */
  constructor(transport: Transport, calls: readonly TimedCall[]) {
    this.#transport = transport;
    this.#calls = calls;
    this.#end = performance.now() + transport.deadline;
  }

  get calls(): readonly TimedCall[] {
    return this.#calls;
  }

  get transport(): Transport {
    return this.#transport;
  }

  /** @throws NetworkError; ServiceError for statuses that show no forms, such as 401, 429, redirects and most 5xx */
  async ask(target: string): Promise<Reply> {
    const left = Math.max(1, this.#end - performance.now());
    try {
      const answer = await this.#transport.send({ method: 'GET', target }, left);
      return { call: this.#calls.at(-1), answer };
    } catch (error) {
      if (!isTelling(error)) throw error;
      return { call: this.#calls.at(-1), refusal: error };
    }
  }

  /**
   * Sends a request that may break a service, such as one with an impossible page size.
   * @returns why it got no response, if so @throws as `ask` for a response
   */
  async try(target: string): Promise<NetworkError | undefined> {
    try {
      await this.ask(target);
    } catch (error) {
      if (error instanceof NetworkError) return error;
      throw error;
    }
    return undefined;
  }
}

function isTelling(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { status = 0 } = error.details;
  return status === 501 || (status >= 400 && status < 500 && status !== 401 && status !== 429);
}
