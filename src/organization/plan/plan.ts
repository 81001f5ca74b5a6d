import { apiKeys, readSigningId } from '../../api/resources/api-key.js';
import { isPostgres } from '../../api/resources/connection.js';
import type { DeclaredResource, ResourceKind } from '../../api/resources/index.js';
import { type IdentifiedResource, isResource, type Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import type { ListCounts } from '../../commands/resource/pages.js';
import { ServiceError } from '../../errors/errors.js';
import { missingDefaults } from '../../input/forms/connection-settings.js';
import type { PlacedReference } from '../../input/forms/secret-reference.js';
import type { OrganizationEntry } from '../declaration/organization-file.js';
import {
  declaredFields,
  kindsInMaking,
  listReferences,
  settingsWith,
} from '../declaration/organization-file.js';
import { hasName, readExisting } from '../read/existing-resources.js';
import type { FileEntry, FileProblem, OrganizationFile } from '../read/file-entry.js';
import { type Differences, differences } from './differences.js';
import { type Match, match } from './match.js';

export type PlanStep =
  | (StepOf<'create'> & { readonly entry: FileEntry; readonly hidden: readonly string[] })
  | (StepOf<'change'> &
      Differences & {
        readonly entry: FileEntry;
        readonly existing: IdentifiedResource;
        readonly sent: readonly string[];
      })
  | (StepOf<'delete'> & { readonly existing: IdentifiedResource })
  /** Done by the user, because the API cannot enable a key. */
  | (StepOf<'enable'> & { readonly existing: IdentifiedResource });

interface StepOf<Action extends string> {
  readonly action: Action;
  readonly resource: DeclaredResource;
  readonly name: string;
}

export interface KindPlan {
  readonly resource: DeclaredResource;
  readonly steps: readonly PlanStep[];
  readonly unchanged: number;
  readonly hidden: ReadonlyMap<string, readonly string[]>;
  /** The signing key, if it would have been pruned. */
  readonly kept?: IdentifiedResource | undefined;
  /** Number of resources that are neither in the file, nor to be deleted, nor `kept`. */
  readonly leftAlone: number;
  /** How many more deletions --prune would add. */
  readonly prunable: number;
  /** All resources of the kind. */
  readonly existing: readonly IdentifiedResource[];
  readonly counts: ListCounts;
}

interface PlanOptions {
  readonly prune: ReadonlySet<ResourceKind>;
  readonly setSecrets: boolean;
}

/** What a plan stands on, besides the file. */
interface Basis extends PlanOptions {
  readonly keyId: string;
  readonly counts: ReadonlyMap<DeclaredResource, ListCounts>;
  /** Receives problems of the file. */
  readonly problems: FileProblem[];
}

/**
 * Reads the organization, and makes one plan for each kind that file and service have, in creation order.
 * @throws UsageError for unusable entries; ServiceError for settings that the service does not show, and if it lacks a
 * kind of which the file has entries, or which is pruned
 */
export async function makePlan(
  file: OrganizationFile,
  options: PlanOptions,
  api: Api,
  context: Context,
): Promise<readonly KindPlan[]> {
  const counts = new Map<DeclaredResource, ListCounts>();
  const needs = (resource: DeclaredResource) =>
    options.prune.has(resource.kind) || (file.kinds.get(resource) ?? []).length > 0;
  const [all, { credential }] = await Promise.all([
    readExisting(file.kinds.keys(), api, context, { counts, needs }),
    context.settings().service(),
  ]);
  const basis: Basis = { ...options, keyId: credential.keyId, counts, problems: [] };
  const plans = kindsInMaking.flatMap((resource) => {
    const [entries, existing] = [file.kinds.get(resource), all.get(resource)];
    return entries === undefined || existing === undefined
      ? []
      : [planKind(resource, entries, existing, basis)];
  });
  if (basis.problems.length > 0) throw file.refusal(basis.problems);
  return plans;
}

function planKind(
  resource: DeclaredResource,
  entries: readonly FileEntry[],
  existing: readonly IdentifiedResource[],
  options: Basis,
): KindPlan {
  const { problems } = options;
  const isPruned = options.prune.has(resource.kind);
  const { matches, rest, problems: found } = match(resource, entries, existing);
  problems.push(...found);
  const hidden = new Map<string, readonly string[]>();
  const steps = matches.map((one) => planSteps(one, options, hidden));
  const named = rest.filter(hasName);
  const pruned = isPruned ? named : [];
  const kept = pruned.find((one) => isSigning(one, options));
  const disables = steps.flat().some((step) => step.action === 'change' && step.patch['enabled'] === false);
  // If the service does not show which key signs, any of these keys may be it.
  if (
    resource.kind === apiKeys.kind &&
    (pruned.length > 0 || disables) &&
    !existing.some((one) => isSigning(one, options))
  ) {
    const change = pruned.length > 0 ? 'pruned' : 'disabled';
    problems.push({
      path: [resource.kind],
      what: `the service does not show which key is ${options.keyId}, the one you are using: no key is ${change}`,
    });
  }
  const deletions = pruned
    .filter((one) => one !== kept)
    .map((one): PlanStep => ({ action: 'delete', resource, name: one.name, existing: one }));
  return {
    resource,
    steps: [...steps.flat(), ...deletions],
    unchanged: steps.filter(({ length }) => length === 0).length,
    hidden,
    kept,
    leftAlone: rest.length - pruned.length,
    prunable: isPruned ? 0 : named.filter((one) => !isSigning(one, options)).length,
    existing,
    counts: options.counts.get(resource) ?? { listed: existing.length, quota: undefined },
  };
}

function isSigning(key: IdentifiedResource, { keyId }: Basis): boolean {
  return readSigningId(key) === keyId;
}

function planSteps(
  { existing, ...entry }: Match,
  options: Basis,
  hidden: Map<string, readonly string[]>,
): readonly PlanStep[] {
  const { problems } = options;
  const { resource, entry: wanted } = entry;
  const { name } = wanted;
  if (existing === undefined) {
    problems.push(...whatCreationLacks(entry));
    return [{ action: 'create', resource, name, entry, hidden: listSecretPaths(wanted) }];
  }
  const compared = differences(wanted, existing, options.setSecrets);
  if (compared.unknown !== undefined) throw unknownSettings(entry, existing, compared.unknown);
  const byHand = compared.changes.some(({ field, to }) => field === 'enabled' && to === true);
  const { patch, changes } = byHand ? withoutEnabled(compared) : compared;
  if (patch['enabled'] === false && isSigning(existing, options)) {
    problems.push({
      path: [...entry.path, 'enabled'],
      what: `${existing.id} is the key you are using, and apply does not disable it; api-keys disable does`,
    });
  }
  const sent = compared.hidden.filter((field) => isInPatch(patch, field));
  if (compared.hidden.length > 0) hidden.set(existing.id, compared.hidden);
  const steps: PlanStep[] = [];
  const change = { patch, changes, hidden: compared.hidden, sent };
  if (Object.keys(patch).length > 0)
    steps.push({ action: 'change', resource, name, entry, existing, ...change });
  if (byHand) steps.push({ action: 'enable', resource, name, existing });
  return steps;
}

function unknownSettings(
  { resource, entry: { name } }: FileEntry,
  { id }: IdentifiedResource,
  unknown: readonly string[],
): ServiceError {
  const what = `the service does not show ${unknown.join(', ')} of ${resource.singular} ${JSON.stringify(name)} (${id})`;
  return new ServiceError('server', `${what}: they cannot be compared, and nothing was planned`, {
    retryable: false,
    hint: 'send them with --set-secrets, or leave them out of the entry',
  });
}

function withoutEnabled({ patch: { enabled: _, ...patch }, changes }: Differences) {
  return { patch, changes: changes.filter(({ field }) => field !== 'enabled') };
}

function isInPatch({ config, ...plain }: Resource, field: string): boolean {
  if (Object.hasOwn(plain, field)) return true;
  return isResource(config) && Object.hasOwn(config, field.slice('config.'.length));
}

function listSecretPaths(entry: OrganizationEntry): readonly string[] {
  return [...new Set(listReferences(entry).map(({ path: [, name] }) => `config.${name}`))];
}

function whatCreationLacks({ resource, entry, path }: FileEntry): readonly FileProblem[] {
  const body = creationFields(resource, entry, () => 'secret');
  // Without a type, finds only what every type needs: the schema of other types requires no setting.
  const schema = 'inputFor' in resource ? resource.inputFor(body) : resource.input;
  const lacking = (schema.safeParse(body).error?.issues ?? []).map((issue) => issue.path);
  const needsTarget = resource.kind === apiKeys.kind && entry.secret_to === undefined;
  const what = `missing: new ${resource.singular} ${JSON.stringify(entry.name)} needs it`;
  return [...lacking, ...(needsTarget ? [['secret_to']] : [])].map((field) => ({
    path: [...path, ...field],
    what,
  }));
}

/** The POST body. Omits `enabled` of an API key: only PATCH can set it. @param secret returns a reference's value */
export function creationFields(
  resource: DeclaredResource,
  entry: OrganizationEntry,
  secret?: (placed: PlacedReference) => unknown,
): Resource {
  const { enabled: _, ...others } = declaredFields(entry);
  const fields = resource.kind === apiKeys.kind ? others : declaredFields(entry);
  if (!isResource(fields['config'])) return fields;
  const config = secret === undefined ? fields['config'] : settingsWith(entry, secret);
  return {
    ...fields,
    config: isPostgres(entry['type']) ? { ...config, ...missingDefaults(config) } : config,
  };
}
