import { type DeclaredResource, hasQuota, type ResourceKind } from '../../api/resources/index.js';
import type { Api } from '../../client/api.js';
import { lacksQuotas } from '../../client/quota-record.js';
import { readableQuotas } from '../../commands/quotas/reading.js';
import { ServiceError } from '../../errors/errors.js';
import { describeShortList } from '../../verbs/quotas/short-list.js';
import type { KindPlan, PlanStep } from './plan.js';

export interface Need {
  readonly resource: DeclaredResource;
  readonly kind: ResourceKind;
  /** Number of records that the list shows. */
  readonly listed: number;
  readonly creations: number;
  readonly deletions: number;
  /** How many more deletions --prune would add. */
  readonly prunable: number;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/**
 * One need for each kind with creations and a known quota: that of GET /quotas, otherwise that of the list's headers.
 * Reads no quotas if there are no creations.
 */
export async function quotaNeeds(plans: readonly KindPlan[], api: Api): Promise<readonly Need[]> {
  const creating = plans.filter((plan) => countCreations(plan) > 0);
  if (creating.length === 0) return [];
  const kinds = creating.map(({ resource }) => resource.kind);
  const quotas = await api.quotas.readAnswer().catch((error: unknown) => {
    if (lacksQuotas(error)) return undefined;
    throw error;
  });
  const record = quotas === undefined ? {} : readableQuotas(quotas, kinds);
  return creating.flatMap((plan) => {
    const { resource, steps, counts: list, prunable } = plan;
    const { kind } = resource;
    const quota = hasQuota(resource) ? (record[resource.kind] ?? list.quota) : undefined;
    if (quota === undefined) return [];
    const { limit, used, remaining } = quota;
    const deletions = steps.filter(({ action }) => action === 'delete').length;
    const counts = { creations: countCreations(plan), deletions, prunable };
    return [{ resource, kind, listed: list.listed, ...counts, limit, used, remaining }];
  });
}

function countCreations({ steps }: KindPlan): number {
  return steps.filter((step) => step.action === 'create').length;
}

export function shortages(needs: readonly Need[]): readonly string[] {
  return needs.filter(isShort).map(({ kind, creations, deletions, limit, used, remaining }) => {
    const deleted = deletions === 0 ? '' : `, ${deletions} to delete`;
    const slots = roomFor(remaining, deletions);
    const room = slots === 0 ? 'is full' : `has room for ${slots}`;
    return `${kind}: ${creations} to create${deleted}, but the quota ${room} (${used} of ${limit} used)`;
  });
}

/** Such as `the list of teams may be incomplete: it shows 2 teams, and the quota counts 3`. */
export function describeUnlisted(needs: readonly Need[]): readonly string[] {
  return needs.flatMap((need) => describeShortList(need.resource, need) ?? []);
}

/** @throws ServiceError `quota_exceeded`, before sending, if a plan does not fit */
export function assertRoom(needs: readonly Need[]): void {
  const short = needs.filter(isShort);
  const [first] = short;
  if (first === undefined) return;
  const { kind, limit, used } = first;
  const fitsPruned = short.every((need) => !isShort({ ...need, deletions: need.deletions + need.prunable }));
  throw new ServiceError('quota_exceeded', `${shortages(needs).join('; ')}; nothing was changed`, {
    quota: { kind, limit, used },
    retryable: false,
    hint: `remove entries from the file${fitsPruned ? ', or make room: --prune deletes resources missing from the file' : ''}`,
  });
}

/** The deletions that make room in the quota for the creations of their kind. */
export function chooseFirstDeletions(
  plans: readonly KindPlan[],
  needs: readonly Need[],
): ReadonlySet<PlanStep> {
  const missing = new Map(needs.map(({ kind, creations, remaining }) => [kind, creations - remaining]));
  return new Set(
    plans.flatMap(({ resource, steps }) =>
      steps
        .filter(({ action }) => action === 'delete')
        .slice(0, Math.max(0, missing.get(resource.kind) ?? 0)),
    ),
  );
}

function isShort({ creations, deletions, remaining }: Need): boolean {
  return creations > roomFor(remaining, deletions);
}

// After a limit was lowered, `remaining` can be negative; the first deletions only make up for that.
function roomFor(remaining: number, deletions: number): number {
  return Math.max(0, remaining + deletions);
}
