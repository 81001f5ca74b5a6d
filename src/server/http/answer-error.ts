import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorBody, quotaExceededMessage } from '../../api/error-message.js';
import { readMessage } from '../../errors/errors.js';
import { OutcomeUnknown, StoreBroken, StoreUnavailable } from '../../storage/database/store-unavailable.js';
import { QuotaExceeded } from '../../storage/reading/quotas.js';
import { HttpError } from './http-error.js';
import { wireName } from './wire-headers.js';

declare module 'fastify' {
  interface FastifyRequest {
    refusal: HttpError | null;
  }
}

const retryAfter = { 'retry-after': '1' };

const unavailableMessage = 'Service Unavailable: the data cannot be read or written; nothing was changed';
const outcomeUnknownMessage =
  'Service Unavailable: the outcome is unknown; the request may have been carried out';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Creates an error handler, which reports unexpected errors and leaves their details out of responses. */
export function errorHandler(
  report: (error: unknown) => void,
  write: (refusal: HttpError, request: FastifyRequest) => ErrorAnswer = writeError,
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = toHttpError(error);
    request.refusal = refusal;
    if (refusal !== error && refusal.statusCode >= 500) report(error);
    const { status, headers, body } = write(refusal, request);
    return reply.code(status).headers(headers).send(body);
  };
}

/** The response to an error outside of a route. */
export function errorAnswer(error: unknown): ErrorAnswer {
  return writeError(toHttpError(error));
}

export function errorAnswerText(refusal: HttpError): string {
  const { status, headers, body } = writeError(refusal);
  const lines = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
  }).map(([name, value]) => `${wireName(name)}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

export function writeError({ statusCode, message, refusal }: HttpError): ErrorAnswer {
  const body: ErrorBody = { statusCode, message };
  return {
    status: statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', ...refusal.headers },
    body: JSON.stringify(body),
  };
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof QuotaExceeded) {
    const message = quotaExceededMessage(error.limit, error.kind, error.used);
    const remedy = { step: 'raise-limit', kind: error.kind, limit: error.used + 1 } as const;
    return new HttpError(403, message, { check: 'quota', explain: () => ({ reason: message, remedy }) });
  }
  const explain = () => ({ reason: readMessage(error) });
  if (error instanceof StoreUnavailable) {
    const headers = error instanceof StoreBroken ? undefined : retryAfter;
    return new HttpError(503, unavailableMessage, { check: 'server', explain, headers });
  }
  // No Retry-After: the change may have been made, so clients must not repeat it blindly.
  if (error instanceof OutcomeUnknown) {
    return new HttpError(503, outcomeUnknownMessage, { check: 'server', explain });
  }
  const status = readStatus(error);
  return status === undefined
    ? new HttpError(500, undefined, { check: 'server', explain })
    : new HttpError(status);
}

/** The status of a refusal by the framework; clients do not get its text. */
function readStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}
