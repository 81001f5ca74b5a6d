import { apiKeys } from '../api/resources/api-key.js';
import type { DeclaredResource } from '../api/resources/index.js';
import type { Context } from '../cli/context.js';
import type { Api } from '../client/api.js';
import type { ListCounts } from '../verbs/pages.js';
import { type KindPlan, makePlan, type PlanOptions } from './plan/plan.js';
import { type ExistingResources, readExisting } from './read/existing-resources.js';
import type { FileEntry, OrganizationFile } from './read/file-entry.js';

/** @throws also if the service lacks a kind of which the file has entries, or which is pruned */
export async function compareWithOrganization(
  file: OrganizationFile,
  options: Pick<PlanOptions, 'prune' | 'setSecrets'>,
  api: Api,
  context: Pick<Context, 'note' | 'progress' | 'settings' | 'profiles' | 'system'>,
): Promise<readonly KindPlan[]> {
  const keys: readonly FileEntry[] = file.kinds.get(apiKeys) ?? [];
  const counts = new Map<DeclaredResource, ListCounts>();
  const needs = (resource: DeclaredResource) =>
    options.prune.has(resource.kind) || (file.kinds.get(resource) ?? []).length > 0;
  const [existing, { credential }] = await Promise.all([
    readExisting(file.kinds.keys(), api, context, { counts, needs }),
    context.settings().service(),
  ]);
  const interrupted = await findInterrupted(keys, existing, file, context);
  return makePlan(file, existing, { ...options, keyId: credential.keyId, interrupted, counts });
}

// Loads the code for interrupted keys only if an entry says where to store a key's secret.
async function findInterrupted(
  keys: readonly FileEntry[],
  existing: ExistingResources,
  file: OrganizationFile,
  context: Pick<Context, 'note' | 'progress' | 'settings' | 'profiles' | 'system'>,
): Promise<PlanOptions['interrupted']> {
  if (keys.every(({ entry }) => entry.secret_to === undefined)) return new Map();
  const { interruptedKeys } = await import('./plan/interrupted-keys.js');
  return interruptedKeys(keys, existing.get(apiKeys) ?? [], file, context);
}
