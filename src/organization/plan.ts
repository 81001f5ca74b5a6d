import { apiKeys, readSigningId } from '../api/resources/api-key.js';
import type { DeclaredResource } from '../api/resources/index.js';
import type { IdentifiedResource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import { ServiceError } from '../errors/errors.js';
import { differences } from './differences.js';
import { kindsInMaking, kindsOfFile } from './file.js';
import { type Match, match } from './match.js';
import type { FileEntry, FileProblem, OrganizationFile } from './read-file.js';
import { hasName, readExisting } from './read-service.js';
import { bodyOf, changeStep, creationStep, existingStep, type PlanStep, type StepValue } from './step.js';

export interface KindPlan {
  readonly resource: DeclaredResource;
  readonly steps: readonly PlanStep[];
  readonly unchanged: number;
  /** Names of fields that cannot be compared; a name is repeated for every resource with such a field. */
  readonly hidden: readonly string[];
  /** The part of `hidden` that belongs to unchanged resources. */
  readonly unsent: readonly string[];
  /** The signing key, if it would have been pruned. */
  readonly kept?: IdentifiedResource | undefined;
  /** The number of resources that are neither in the file, nor to be deleted, nor `kept`. */
  readonly leftAlone: number;
  readonly total: number;
}

interface PlanOptions {
  readonly prune: boolean;
  readonly setSecrets: boolean;
}

interface Basis extends PlanOptions {
  /** The ID of the signing key. */
  readonly keyId: string;
  readonly problems: FileProblem[];
}

/**
 * One plan for each kind of the file, in creation order.
 * @throws UsageError for unusable entries; ServiceError for unreadable lists and settings
 */
export async function makePlan(
  file: OrganizationFile,
  options: PlanOptions,
  context: Context,
): Promise<readonly KindPlan[]> {
  const [existing, { credential }] = await Promise.all([
    readExisting(file.kinds.keys(), context),
    context.settings().service(),
  ]);
  const basis: Basis = { ...options, keyId: credential.keyId, problems: [] };
  const plans = kindsInMaking.flatMap((resource) => {
    const entries = file.kinds.get(resource);
    return entries === undefined ? [] : [planKind(resource, entries, existing.get(resource) ?? [], basis)];
  });
  if (basis.problems.length > 0) throw file.refusal(basis.problems);
  return plans;
}

function planKind(
  resource: DeclaredResource,
  entries: readonly FileEntry[],
  existing: readonly IdentifiedResource[],
  basis: Basis,
): KindPlan {
  const { matches, rest, problems } = match(resource, entries, existing);
  basis.problems.push(...problems);
  const planned = matches.map((one) => planEntry(one, basis));
  const pruned = basis.prune ? rest.filter(hasName) : [];
  const isSigning = (one: IdentifiedResource) => readSigningId(one) === basis.keyId;
  const disables = planned.some(({ steps }) => steps.some(({ body }) => body['enabled'] === false));
  // If the service does not show which key signs, any of these may be the signing key.
  if (resource.kind === apiKeys.kind && (pruned.length > 0 || disables) && !existing.some(isSigning)) {
    const what = `the service does not show which key is ${basis.keyId}, the one you are using: no key is pruned or disabled`;
    basis.problems.push({ path: [resource.kind], what });
  }
  const kept = pruned.find(isSigning);
  const deletions = pruned.filter((one) => one !== kept).map((one) => existingStep('delete', resource, one));
  const unchanged = planned.filter(({ steps }) => steps.length === 0);
  return {
    resource,
    steps: [...planned.flatMap(({ steps }) => steps), ...deletions],
    unchanged: unchanged.length,
    hidden: planned.flatMap(({ hidden }) => hidden),
    unsent: unchanged.flatMap(({ hidden }) => hidden),
    kept,
    leftAlone: rest.length - pruned.length,
    total: existing.length,
  };
}

function planEntry(
  { entry, existing }: Match,
  { keyId, setSecrets, problems }: Basis,
): Pick<KindPlan, 'steps' | 'hidden'> {
  const { resource, entry: wanted, path } = entry;
  if (existing === undefined) {
    const step = creationStep(entry);
    problems.push(...whatCreationLacks(step, entry));
    return { steps: [step], hidden: [] };
  }
  const { changes, hidden, patch, unknown } = differences(wanted, existing, setSecrets);
  if (unknown !== undefined) throw unknownSettings(entry, existing, unknown);
  const byHand = patch['enabled'] === true;
  if (patch['enabled'] === false && readSigningId(existing) === keyId) {
    const what = `${existing.id} is the key you are using, and apply does not disable it; api-keys disable does`;
    problems.push({ path: [...path, 'enabled'], what });
  }
  const { enabled: _, ...others } = patch;
  const sent = byHand
    ? { hidden, patch: others, changes: changes.filter(({ field }) => field !== 'enabled') }
    : { hidden, patch, changes };
  const steps = [
    ...(Object.keys(sent.patch).length > 0 ? [changeStep(entry, existing, sent)] : []),
    ...(byHand ? [existingStep('enable', resource, { ...existing, name: wanted.name })] : []),
  ];
  return { steps, hidden };
}

function unknownSettings(
  { resource: { singular }, entry: { name } }: FileEntry,
  { id }: IdentifiedResource,
  unknown: readonly string[],
): ServiceError {
  const what = `the service does not show ${unknown.join(', ')} of ${singular} ${JSON.stringify(name)} (${id})`;
  return new ServiceError('server', `${what}: they cannot be compared, and nothing was planned`, {
    retryable: false,
    hint: 'send them with --set-secrets, or leave them out of the entry',
  });
}

function whatCreationLacks(step: PlanStep, { resource, entry, path }: FileEntry): readonly FileProblem[] {
  const body = bodyOf(step, () => 'secret');
  // Without a type, the schema for types other than PostgreSQL applies, which requires no setting.
  const schema = 'inputFor' in resource ? resource.inputFor(body) : resource.input;
  const lacking = (schema.safeParse(body).error?.issues ?? []).map((issue) => issue.path);
  const needsTarget = resource.kind === apiKeys.kind && entry.secret_to === undefined;
  const what = `missing: new ${resource.singular} ${JSON.stringify(entry.name)} needs it`;
  return [...lacking, ...(needsTarget ? [['secret_to']] : [])].map((field) => ({
    path: [...path, ...field],
    what,
  }));
}

export function listUnnamedKinds({ kinds }: OrganizationFile): readonly DeclaredResource[] {
  return kindsOfFile.filter((resource) => !kinds.has(resource));
}

/** The plan for programs. Numbers are by kind; `notInFile` is `all` for a kind that the file lacks. */
export function planValue(plans: readonly KindPlan[], file: OrganizationFile) {
  const byKind = <Value>(value: (plan: KindPlan) => Value) =>
    Object.fromEntries(plans.map((plan) => [plan.resource.kind, value(plan)]));
  return {
    changes: valuesOf(plans),
    unchanged: byKind(({ unchanged }) => unchanged),
    notCompared: byKind(({ hidden }) => countFields(hidden)),
    notInFile: {
      ...byKind(({ leftAlone }) => leftAlone),
      ...Object.fromEntries(listUnnamedKinds(file).map(({ kind }) => [kind, 'all'])),
    },
  };
}

export function valuesOf(plans: readonly KindPlan[]): readonly StepValue[] {
  return plans.flatMap(({ steps }) => steps.map(({ value }) => value));
}

export function countFields(fields: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const field of fields) counts[field] = (counts[field] ?? 0) + 1;
  return counts;
}

export function countSteps({ steps }: KindPlan, action: StepValue['action']): number {
  return steps.filter(({ value }) => value.action === action).length;
}
