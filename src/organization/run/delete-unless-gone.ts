import type { DeclaredResource } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import { isMarkedDeleted } from '../../client/reading/record-fields.js';
import { assertCallFailed, isGone, ServiceError } from '../../errors/errors.js';

/** The error for a 404 although the service shows the resource. */
function unservedError({ singular }: DeclaredResource, typed: string, cause: ServiceError): ServiceError {
  const { method, path, status } = cause.details;
  const what = `${method} ${path} returned ${status}, although the service shows ${singular} ${JSON.stringify(typed)}`;
  return new ServiceError('not_found', what, {
    ...cause.details,
    ...{ hint: 'the service may lack this call, or the resource was deleted meanwhile', cause },
  });
}

interface DeletionCalls {
  readonly delete: (id: string) => Promise<void>;
  readonly get: (id: string) => Promise<Resource>;
  /** Looks in the list, because a service without DELETE may have no GET by ID, either. */
  readonly lookInList: (id: string) => Promise<{ readonly item: Resource | undefined }>;
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
async function isShown(id: string, { get, lookInList }: DeletionCalls): Promise<boolean> {
  const shown = (await get(id).catch(assertCallFailed)) ?? (await lookInList(id)).item;
  return shown !== undefined && !isMarkedDeleted(shown);
}
