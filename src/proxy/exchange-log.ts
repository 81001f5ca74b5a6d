import { claimedKeyId } from '../redaction/harmless.js';
import { redactedTarget } from '../redaction/redact.js';
import type { Refusal } from '../signing/refusals/refusal.js';
import { credentialHeaders, readKeyIds } from '../signing/scheme.js';
import type { ExchangeResponse, Outcome, ProxiedExchange } from './exchange.js';
import { type ExchangeExplaining, explainExchange } from './explain-exchange.js';
import { findValues } from './headers.js';

/** One exchange, without secrets; with the fields of `Refusal` if the service refused the request. */
export interface ExchangeEntry extends Partial<Refusal> {
  readonly event: 'request';
  /** When it began, in ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** With the values of unknown parameters masked. */
  readonly target: string;
  /** `null` if the client got no response. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** The key ID that the request claims. */
  readonly keyId?: string | undefined;
  readonly fault?: string | undefined;
  readonly outcome: Outcome;
  readonly problem?: string | undefined;
}

/** Receives an entry, its exchange with unmasked secrets, and the reason for a refusal. */
export type LogExchange = (entry: ExchangeEntry, exchange: ProxiedExchange, refusal?: Refusal) => void;

/** Milliseconds to gather exchanges: describing each one immediately would take far more processor time. */
const gathering = 20;

/** Logs exchanges as entries. A refused one is logged when its refusal is explained, perhaps after later exchanges. */
export class ExchangeLog {
  readonly #options: ExchangeExplaining;
  readonly #log: LogExchange;
  readonly #pending = new Set<Promise<void>>();
  #gathered: ProxiedExchange[] = [];

  constructor(options: ExchangeExplaining, log: LogExchange) {
    this.#options = options;
    this.#log = log;
  }

  observe(exchange: ProxiedExchange): void {
    if (this.#gathered.length === 0) setTimeout(() => this.#describeGathered(), gathering).unref();
    this.#gathered.push(exchange);
  }

  /** Resolves when all exchanges observed so far are logged. */
  async settle(): Promise<void> {
    this.#describeGathered();
    await Promise.all(this.#pending);
  }

  #describeGathered(): void {
    for (const exchange of this.#gathered.splice(0)) {
      const refused = readRefusal(exchange);
      if (refused === undefined) this.#log(toEntry(exchange), exchange);
      else {
        const telling = this.#explain(exchange, refused).finally(() => this.#pending.delete(telling));
        this.#pending.add(telling);
      }
    }
  }

  async #explain(exchange: ProxiedExchange, refused: ExchangeResponse): Promise<void> {
    const refusal = await explainExchange(exchange, refused, this.#options);
    this.#log({ ...toEntry(exchange), ...refusal }, exchange, refusal);
  }
}

function toEntry(exchange: ProxiedExchange): ExchangeEntry {
  const { method, target, requestHeaders, startedAt, response, milliseconds } = exchange;
  const { outcome, problem, fault } = exchange;
  const headers = Object.fromEntries(
    credentialHeaders.flatMap((name) => {
      const values = findValues(requestHeaders, name);
      return values.length === 0 ? [] : [[name, values.join(', ')]];
    }),
  );
  return {
    event: 'request',
    time: new Date(startedAt).toISOString(),
    method,
    target: redactedTarget(target.toString('latin1')),
    status: response?.status ?? null,
    milliseconds: Math.round(milliseconds * 10) / 10,
    keyId: claimedKeyId(readKeyIds({ method, target, headers })[0]),
    ...(fault !== undefined && { fault }),
    outcome,
    ...(problem !== undefined && { problem }),
  };
}

function readRefusal({ response, outcome }: ProxiedExchange): ExchangeResponse | undefined {
  if (outcome !== 'passed') return undefined;
  return response?.status === 401 || response?.status === 403 ? response : undefined;
}
