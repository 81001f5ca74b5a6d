import { claimedKeyId } from '../redaction/harmless.js';
import { redactedTarget } from '../redaction/redact.js';
import type { RequestEntry } from '../server/journal/log.js';
import type { Refusal } from '../signing/refusals/refusal.js';
import { credentialHeaders, readKeyIds } from '../signing/scheme.js';
import type { Outcome, ProxiedExchange } from './exchange.js';
import { type ExchangeExplaining, explainExchange } from './explain-exchange.js';
import { toNamed } from './headers.js';

/** One exchange, without secrets. If the request was refused, it has the fields of a `Refusal`, too. */
export interface ExchangeEntry extends RequestEntry {
  readonly outcome: Outcome;
  readonly problem?: string | undefined;
}

/** Milliseconds to gather exchanges, which saves processor time. */
const gathering = 20;

/** Logs exchanges as entries, and explains refused ones first. */
export function logExchanges(
  options: ExchangeExplaining,
  log: (entry: ExchangeEntry, exchange: ProxiedExchange, refusal?: Refusal) => void,
) {
  const pending = new Set<Promise<void>>();
  let gathered: ProxiedExchange[] = [];
  const describe = async (exchange: ProxiedExchange) => {
    const { response, outcome } = exchange;
    const isRefused = outcome === 'passed' && (response?.status === 401 || response?.status === 403);
    const refusal = isRefused ? await explainExchange(exchange, response, options) : undefined;
    log({ ...toEntry(exchange), ...refusal }, exchange, refusal);
  };
  const describeGathered = () => {
    for (const exchange of gathered) {
      const described = describe(exchange).finally(() => pending.delete(described));
      pending.add(described);
    }
    gathered = [];
  };
  return {
    observe(exchange: ProxiedExchange): void {
      if (gathered.length === 0) setTimeout(describeGathered, gathering).unref();
      gathered.push(exchange);
    },
    /** Resolves when all exchanges observed so far are logged. */
    async settle(): Promise<void> {
      describeGathered();
      await Promise.all(pending);
    },
  };
}

function toEntry(exchange: ProxiedExchange): ExchangeEntry {
  const { method, target, requestHeaders, startedAt, response, milliseconds } = exchange;
  const { outcome, problem, fault } = exchange;
  const headers = toNamed(requestHeaders, credentialHeaders);
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
