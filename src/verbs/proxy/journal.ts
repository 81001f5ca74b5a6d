import { decodeBody } from '../../proxy/decode-body.js';
import type { KeptBody, Outcome, ProxiedExchange } from '../../proxy/exchange.js';
import type { ExchangeEntry } from '../../proxy/explain/exchange-log.js';
import type { RawHeaders } from '../../proxy/service/headers.js';
import type { Journal } from '../../server/journal/journal.js';
import type { Exchange } from '../../server/journal/kept-exchange.js';
import type { Check, Refusal } from '../../signing/refusals/refusal.js';

/** Adds an exchange to a journal, which masks secrets when it is read. */
export function noteExchange(
  journal: Journal,
  entry: ExchangeEntry,
  exchange: ProxiedExchange,
  refused: Refusal | undefined,
): void {
  const refusal = refused ?? describeFailure(entry);
  journal.add(toJournalExchange(entry, exchange), refusal && (() => refusal));
}

const failures: Readonly<Partial<Record<Outcome, Check>>> = {
  refused: 'request',
  failed: 'server',
  'cut-off': 'server',
  abandoned: 'request',
};

/** Why the proxy itself responded, or why the exchange broke off. */
function describeFailure({ outcome, problem }: ExchangeEntry): Refusal | undefined {
  const check = failures[outcome];
  return check === undefined || problem === undefined ? undefined : { check, reason: problem };
}

function toJournalExchange(
  { milliseconds, keyId, fault }: ExchangeEntry,
  { method, target, startedAt, requestHeaders, requestBody, response }: ProxiedExchange,
): Exchange {
  return {
    time: startedAt,
    method,
    target: target.toString('latin1'),
    status: response?.status,
    milliseconds,
    keyId,
    fault,
    rawHeaders: requestHeaders,
    ...toBody(requestBody, requestHeaders),
    ...(response && {
      response: { rawHeaders: response.headers, ...toBody(response.body, response.headers) },
    }),
  };
}

/** Records only the length of a body that is partial or has an unknown content coding. */
function toBody(kept: KeptBody, headers: RawHeaders) {
  const body = kept.isWhole ? decodeBody(kept.bytes, headers) : undefined;
  return body === undefined ? { body, unreadBytes: kept.length } : { body };
}
