import { OrgctlError, UsageError } from '../../errors.js';
import { badRequest, HttpError } from '../pipeline/http-error.js';

/** What a command line would be told of what it asked for, as an answer. */
export async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    const { message, details } = error;
    const text = details.hint === undefined ? message : `${message}; ${details.hint}`;
    throw error instanceof UsageError ? badRequest(text) : new HttpError(500, text, { check: 'server' });
  }
}
