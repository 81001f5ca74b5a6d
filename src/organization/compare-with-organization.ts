import type { DeclaredResource } from '../api/resources/index.js';
import type { Context } from '../cli/context.js';
import type { Api } from '../client/api.js';
import type { ListCounts } from '../verbs/pages.js';
import { type KindPlan, makePlan, type PlanOptions } from './plan/plan.js';
import { readExisting } from './read/existing-resources.js';
import type { OrganizationFile } from './read/file-entry.js';

/** @throws also if the service lacks a kind of which the file has entries, or which is pruned */
export async function compareWithOrganization(
  file: OrganizationFile,
  options: Pick<PlanOptions, 'prune' | 'setSecrets'>,
  api: Api,
  context: Context,
): Promise<readonly KindPlan[]> {
  const counts = new Map<DeclaredResource, ListCounts>();
  const needs = (resource: DeclaredResource) =>
    options.prune.has(resource.kind) || (file.kinds.get(resource) ?? []).length > 0;
  const [existing, { credential }] = await Promise.all([
    readExisting(file.kinds.keys(), api, context, { counts, needs }),
    context.settings().service(),
  ]);
  return makePlan(file, existing, { ...options, keyId: credential.keyId, counts });
}
