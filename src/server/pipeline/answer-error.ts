import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorBody, quotaExceededMessage } from '../../contract/error-message.js';
import { messageOf } from '../../errors.js';
import { QuotaExceeded } from '../../storage/quota-exceeded.js';
import { OutcomeUnknown, StoreBroken, StoreUnavailable } from '../../storage/store-unavailable.js';
import type { PendingRefusal } from '../explain/refusal.js';
import { errorBody } from './error-body.js';
import { HttpError } from './http-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused, for log and journal. */
    refusal: PendingRefusal | null;
  }
}

/** Seconds [ours]: a database that restarts is back soon, and what was refused was not done. */
const retryAfter = '1';

const outcomeUnknownMessage = 'Service Unavailable: the outcome is unknown, this may have been done';

/** The one place where an error becomes an answer. What is not expected is reported, and answered without detail. */
export function errorHandler(report: (error: unknown) => void) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const body = answerTo(error);
    request.refusal = refusalOf(error, body);
    if (body.statusCode >= 500) report(error);
    if (error instanceof HttpError && error.details.headers) reply.headers(error.details.headers);
    if (isOverSoon(error)) reply.header('retry-after', retryAfter);
    return reply.code(body.statusCode).send(body);
  };
}

function isOverSoon(error: unknown): boolean {
  return error instanceof StoreUnavailable && !(error instanceof StoreBroken);
}

function refusalOf(error: unknown, { statusCode, message }: ErrorBody): PendingRefusal {
  if (error instanceof HttpError) {
    const { check = 'request', explain, takesWork } = error.details;
    return { check, message, explain, takesWork };
  }
  if (error instanceof QuotaExceeded) return { check: 'quota', message };
  if (statusCode < 500) return { check: 'request', message };
  return { check: 'server', message: messageOf(error) };
}

function answerTo(error: unknown): ErrorBody {
  if (error instanceof HttpError) return errorBody(error.statusCode, error.message);
  if (error instanceof QuotaExceeded) {
    return errorBody(403, quotaExceededMessage(error.limit, error.kind, error.used));
  }
  if (error instanceof StoreUnavailable) return errorBody(503);
  // Without Retry-After: what may have been done is not to be repeated unseen.
  if (error instanceof OutcomeUnknown) return errorBody(503, outcomeUnknownMessage);
  const status = statusOf(error);
  return status === undefined ? errorBody(500) : errorBody(status);
}

/** The status of the framework's own refusals; their texts are not for clients of this service. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}
