import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorBody, quotaExceededMessage } from '../contract/error-message.js';
import { messageOf } from '../errors.js';
import { QuotaExceeded } from '../storage/quota-exceeded.js';
import { StoreUnavailable } from '../storage/store-unavailable.js';
import { errorBody } from './error-body.js';
import { HttpError } from './http-error.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the request was refused, for the log. */
    reason: string | null;
  }
}

/** The one place where an error becomes an answer. What is not expected is reported, and answered without detail. */
export function errorHandler(report: (error: unknown) => void) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const body = answerTo(error);
    request.reason = error instanceof HttpError ? (error.reason ?? error.message) : messageOf(error);
    if (body.statusCode >= 500) report(error);
    return reply.code(body.statusCode).send(body);
  };
}

function answerTo(error: unknown): ErrorBody {
  if (error instanceof HttpError) return errorBody(error.statusCode, error.message);
  if (error instanceof QuotaExceeded) {
    return errorBody(403, quotaExceededMessage(error.limit, error.kind, error.used));
  }
  if (error instanceof StoreUnavailable) return errorBody(503);
  const status = statusOf(error);
  return status === undefined ? errorBody(500) : errorBody(status);
}

/** The status of the framework's own refusals; their texts are not for clients of this service. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}
