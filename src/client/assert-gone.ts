import { isResource } from '../api/resources/resource.js';
import { isGone, isUnserved, NetworkError, type OrgctlError, ServiceError } from '../errors/errors.js';
import type { Listed } from './find-listed.js';
import { readDeletionMark } from './reading/deletion-mark.js';

type Look = () => Promise<Listed<unknown>>;

/**
 * Asserts that the service no longer shows a resource.
 * @param reading the call that reads it by its ID
 * @throws `doubt` if the resource may still exist
 */
export async function assertGone(doubt: OrgctlError, reading: Promise<unknown>, look: Look): Promise<void> {
  const failure = await reading.then(isMarkedDeleted, toCallFailure);
  if (failure === false) throw doubt;
  if (await isUnlisted(failure, look)) return;
  throw doubt;
}

function toCallFailure(error: unknown): ServiceError | NetworkError {
  if (error instanceof ServiceError || error instanceof NetworkError) return error;
  throw error;
}

/**
 * Whether the list, too, shows a resource as deleted: a service without GET by ID may respond 404 to it.
 * @param failure of reading it by its ID; `true` if that response marks it as deleted
 */
async function isUnlisted(failure: unknown, look: Look): Promise<boolean> {
  const isUnread = isUnserved(failure);
  if (failure !== true && !isUnread && !isGone(failure)) return false;
  const { item, isWhole } = await look();
  return item === undefined ? isWhole || !isUnread : isMarkedDeleted(item);
}

function isMarkedDeleted(seen: unknown): boolean {
  return isResource(seen) && readDeletionMark(seen) === true;
}
