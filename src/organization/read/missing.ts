import { ServiceError } from '../../errors/errors.js';

const missingStatuses: ReadonlySet<number | undefined> = new Set([404, 405, 501]);

/** Whether an error says that the service lacks what was read. */
export function isMissing(reason: unknown): boolean {
  return reason instanceof ServiceError && missingStatuses.has(reason.details.status);
}
