import type { Api } from '../../client/api.js';
import type { Context } from '../../context.js';
import { apiKeys } from '../../contract/resources/api-key.js';
import type { FileEntry, OrganizationFile } from './organization-file.js';
import { type KindPlan, makePlan } from './plan.js';
import { readWorld } from './world.js';

/** Reads what exists and compares a file with it: what `diff` shows and `apply` does. */
export async function compareWithWorld(
  file: OrganizationFile,
  options: { readonly prune: boolean; readonly setSecrets: boolean },
  api: Api,
  context: Pick<Context, 'note' | 'progress' | 'settings' | 'profiles' | 'system'>,
): Promise<readonly KindPlan[]> {
  const keys: readonly FileEntry[] = file.kinds.get(apiKeys) ?? [];
  const [world, interrupted, { credential }] = await Promise.all([
    readWorld(file.kinds.keys(), api, context),
    interruptedOf(keys, file, context),
    context.settings().service(),
  ]);
  const isInterrupted = ({ path }: FileEntry) => [...interrupted].some((one) => one.path === path);
  return makePlan(file, world, { ...options, keyId: credential.keyId, isInterrupted });
}

// Profiles, processes and everything else about secrets is only loaded for keys.
async function interruptedOf(
  keys: readonly FileEntry[],
  file: OrganizationFile,
  context: Pick<Context, 'settings' | 'profiles' | 'system'>,
): Promise<ReadonlySet<FileEntry>> {
  if (keys.every(({ entry }) => entry.secret_to === undefined)) return new Set();
  const { interruptedCreations } = await import('./secret-targets.js');
  return interruptedCreations(keys, file, context);
}
