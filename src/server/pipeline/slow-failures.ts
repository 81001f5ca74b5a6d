import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FailedAttempts } from './failed-attempts.js';
import { HttpError } from './http-error.js';

export interface SlowFailureOptions {
  readonly failedAttempts: FailedAttempts;
  /** Does something for a request after so many milliseconds, if there is still somebody to answer then. */
  readonly postpone: (response: ServerResponse, milliseconds: number, work: () => void) => void;
}

/** A hook of the framework that is done later. */
type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** The hook that authenticates, with the answers to a peer's failures held back once there are too many of them. */
export function slowFailures(authenticating: Hook, { failedAttempts, postpone }: SlowFailureOptions): Hook {
  return (request, reply, done) => {
    const finish = (error?: Error) => {
      const isFailure = error instanceof HttpError && error.statusCode === 401;
      const wait = isFailure ? failedAttempts.count(request.raw.socket) : 0;
      if (wait === 0) done(error);
      else postpone(reply.raw, wait, () => done(error));
    };
    try {
      authenticating(request, reply, finish);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      finish(error);
    }
  };
}
