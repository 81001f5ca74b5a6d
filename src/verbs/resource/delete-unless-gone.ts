import type { DeclaredResource } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import { readDeletionMark } from '../../client/reading/deletion-mark.js';
import { assertCallFailed, isGone } from '../../errors/errors.js';
import { unservedError } from './missing.js';

interface DeletionCalls {
  readonly delete: (id: string) => Promise<void>;
  readonly get: (id: string) => Promise<Resource>;
  /** Looks in the list, because a service that cannot delete a key may be unable to show one by its ID, too. */
  readonly find?: (id: string) => Promise<Resource | undefined>;
}

/** Deletes a resource; ignores a missing one. @throws ServiceError `not_found` if the service still shows it */
export async function deleteUnlessGone(
  resource: DeclaredResource,
  id: string,
  calls: DeletionCalls,
): Promise<void> {
  try {
    await calls.delete(id);
  } catch (error) {
    if (!isGone(error)) throw error;
    // A service without this call answers 404, too; 410 leaves no doubt.
    if (error.code === 'not_found' && (await isShown(id, calls))) throw unservedError(resource, id, error);
  }
}

/** A resource that cannot be read counts as gone. */
async function isShown(id: string, { get, find }: DeletionCalls): Promise<boolean> {
  const shown = (await get(id).catch(assertCallFailed)) ?? (await find?.(id).catch(assertCallFailed));
  return shown !== undefined && readDeletionMark(shown) !== true;
}
