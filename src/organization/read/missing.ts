import { ServiceError } from '../../errors/errors.js';

const missingStatuses: ReadonlySet<number | undefined> = new Set([404, 405, 501]);

/** Whether an error means that the service does not have the requested call or resource. */
export function isMissing(reason: unknown): reason is ServiceError {
  return reason instanceof ServiceError && missingStatuses.has(reason.details.status);
}
