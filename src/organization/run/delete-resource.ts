import type { DeclaredResource } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { deleteUnlessGone } from '../../verbs/resource/missing.js';
import { readKind } from '../read/existing-resources.js';

/** Deletes a resource. After 404, looks for it by its ID and in the list before it counts as gone. @throws as `deleteUnlessGone` */
export function deleteResource(
  resource: DeclaredResource,
  id: string,
  api: Api,
  context: Pick<Context, 'progress'>,
): Promise<void> {
  const find = async () => (await readKind(resource, api, context)).find((one) => one.id === id);
  // Keys have a `find` of their own: the ID that signs may differ from the listed one.
  return deleteUnlessGone(resource, id, { find, ...api[resource.property] });
}
