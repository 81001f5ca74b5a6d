import { claimedKeyId } from '../../redaction/harmless.js';
import type { RequestHead } from '../../signing/claim/claim.js';
import { notExplained } from '../../signing/refusals/explaining-budget.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import { credentialHeaders, readKeyIds } from '../../signing/scheme.js';
import type { ExchangeResponse, Outcome, ProxiedExchange } from '../exchange.js';
import { findValues } from '../service/headers.js';
import { type ExchangeExplaining, explainExchange } from './explain-exchange.js';

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

/** Maximum unfinished explanations; each holds the body of a request. */
const maxPending = 64;

/** Milliseconds to gather exchanges: describing each one immediately would take far more processor time. */
const gathering = 20;

/** When this many exchanges, or bytes of their bodies, have been gathered, they are described immediately. */
const maxGathered = 256;
const maxGatheredBytes = 1024 * 1024;

/** Logs exchanges as entries. A refused one is logged when its refusal is explained, perhaps after later exchanges. */
export class ExchangeLog {
  readonly #options: ExchangeExplaining;
  readonly #log: LogExchange;
  readonly #pending = new Set<Promise<void>>();
  #gathered: ProxiedExchange[] = [];
  #gatheredBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ExchangeExplaining, log: LogExchange) {
    this.#options = options;
    this.#log = log;
  }

  observe(exchange: ProxiedExchange): void {
    this.#gathered.push(exchange);
    this.#gatheredBytes += exchange.requestBody.bytes.length + (exchange.response?.body.bytes.length ?? 0);
    const isFull = this.#gathered.length >= maxGathered || this.#gatheredBytes >= maxGatheredBytes;
    if (isFull) this.#describeGathered();
    else this.#timer ??= setTimeout(() => this.#describeGathered(), gathering).unref();
  }

  #describeGathered(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    for (const exchange of gathered) this.#describe(exchange);
  }

  #describe(exchange: ProxiedExchange): void {
    const entry = this.#toEntry(exchange);
    const refused = readRefusal(exchange);
    if (refused === undefined) this.#log(entry, exchange);
    else if (this.#pending.size >= maxPending) this.#log({ ...entry, reason: notExplained }, exchange);
    else {
      const telling = this.#explain(exchange, refused, entry).finally(() => this.#pending.delete(telling));
      this.#pending.add(telling);
    }
  }

  /** Resolves when all exchanges observed so far are logged. */
  async settle(): Promise<void> {
    this.#describeGathered();
    await Promise.all(this.#pending);
  }

  async #explain(exchange: ProxiedExchange, refused: ExchangeResponse, entry: ExchangeEntry): Promise<void> {
    const refusal = await explainExchange(exchange, refused, this.#options);
    this.#log({ ...entry, ...refusal }, exchange, refusal);
  }

  #toEntry(exchange: ProxiedExchange): ExchangeEntry {
    const { method, target, startedAt, response, milliseconds, outcome, problem, fault } = exchange;
    return {
      event: 'request',
      time: new Date(startedAt).toISOString(),
      method,
      target: this.#options.budget.redactedTarget(target.toString('latin1')),
      status: response?.status ?? null,
      milliseconds: Math.round(milliseconds * 10) / 10,
      keyId: claimedKeyId(readKeyIds(readCredentials(exchange))[0]),
      ...(fault !== undefined && { fault }),
      outcome,
      ...(problem !== undefined && { problem }),
    };
  }
}

/** The part of a request's head that can name a key. */
function readCredentials({ method, target, requestHeaders }: ProxiedExchange): RequestHead {
  const headers: Record<string, string> = {};
  for (const name of credentialHeaders) {
    const values = findValues(requestHeaders, name);
    if (values.length > 0) headers[name] = values.join(', ');
  }
  return { method, target, headers };
}

function readRefusal({ response, outcome }: ProxiedExchange): ExchangeResponse | undefined {
  if (outcome !== 'passed') return undefined;
  return response?.status === 401 || response?.status === 403 ? response : undefined;
}
