import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { claimedKeyId } from '../../redaction/harmless.js';
import type { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import { readKeyIds } from '../../signing/scheme.js';
import type { HttpError } from '../http/http-error.js';
import { announcedBytes, announcesBody } from '../http/receive-body.js';
import type { Journal } from './journal.js';
import type { Exchange, Explain } from './kept-exchange.js';
import type { Log, LoggedRequests } from './log.js';

export interface RecorderOptions {
  readonly journal: Journal;
  readonly budget: ExplainingBudget;
  readonly log?: Log | undefined;
  readonly logged?: LoggedRequests | undefined;
}

export class Recorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Logs before the response is written, so that a client that has the response finds it in the log. */
  record(exchange: Exchange, refusal?: HttpError): void {
    const { journal, budget, log, logged = 'all' } = this.#options;
    const explain = refusal && explainOnce(() => budget.explain(refusal));
    journal.add(exchange, explain);
    const isLogged = log !== undefined && logged === 'all';
    if (explain !== undefined || isLogged) setImmediate(() => this.#tell(exchange, explain?.()));
  }

  #tell(
    { time, method, target, status, milliseconds, keyId, organization, fault, stub }: Exchange,
    refusal: Refusal | undefined,
  ): void {
    this.#options.log?.({
      event: 'request',
      time: new Date(time).toISOString(),
      method,
      target: this.#options.budget.redactedTarget(target),
      status: status ?? null,
      milliseconds,
      keyId,
      organization,
      fault,
      stub,
      ...refusal,
    });
  }
}

/** Explains only once, and then releases the request, which may have a large body. */
function explainOnce(explain: Explain): Explain {
  let say = explain;
  return () => {
    const refusal = say();
    say = () => refusal;
    return refusal;
  };
}

/** Records each request when its response is ready. */
export function recordExchange(options: { recorder: Recorder; clock: () => number }): onSendHookHandler {
  const { recorder, clock } = options;
  return (request, reply, payload, done) => {
    const exchange = toExchange(request, reply.statusCode, clock());
    recorder.record({ ...exchange, response: toResponse(reply, payload) }, request.refusal ?? undefined);
    done();
  };
}

function toResponse(reply: FastifyReply, payload: unknown): Exchange['response'] {
  const rawHeaders = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
  if (typeof payload === 'string') return { rawHeaders, body: Buffer.from(payload) };
  return { rawHeaders, body: Buffer.isBuffer(payload) ? payload : undefined };
}

export function toExchange(request: FastifyRequest, status: number | undefined, time: number): Exchange {
  const { method, originalUrl, raw, bytes, key, arrivedAt, fault, stub } = request;
  return {
    time,
    method,
    target: originalUrl,
    status,
    milliseconds: Math.round((performance.now() - arrivedAt) * 10) / 10,
    rawHeaders: raw.rawHeaders,
    body: bytes ?? undefined,
    ...(bytes === null && announcesBody(raw) && { unreadBytes: announcedBytes(raw) }),
    keyId: key?.keyId ?? readClaimedKey(request),
    organization: key?.organizationId,
    fault: fault?.rule,
    stub: stub?.request,
  };
}

function readClaimedKey({ method, originalUrl: target, headers }: FastifyRequest): string | undefined {
  return claimedKeyId(readKeyIds({ method, target, headers })[0]);
}

/** An exchange without a valid request: hyphens stand for unknown parts. */
export function unreadableExchange(status: number, time: number): Exchange {
  return { time, status, milliseconds: 0, method: '-', target: '-', rawHeaders: [] };
}
