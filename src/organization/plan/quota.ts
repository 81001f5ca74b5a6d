import { hasQuota } from '../../api/resources/index.js';
import type { Api } from '../../client/api.js';
import { lacksQuotas } from '../../client/quota-record.js';
import { readableQuotas } from '../../commands/quotas/reading.js';
import { ServiceError } from '../../errors/errors.js';
import { describeShortList } from '../read/short-list.js';
import type { KindPlan, PlanStep } from './plan.js';

export interface Need {
  readonly plan: KindPlan;
  readonly creations: number;
  readonly deletions: number;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/**
 * One need for each kind with creations and a known quota: that of GET /quotas, otherwise that of the list's headers.
 * Reads no quotas if there are no creations.
 */
export async function quotaNeeds(plans: readonly KindPlan[], api: Api): Promise<readonly Need[]> {
  const creating = plans.filter(({ steps }) => countSteps(steps, 'create') > 0);
  if (creating.length === 0) return [];
  const kinds = creating.map(({ resource }) => resource.kind);
  const quotas = await api.quotas.readAnswer().catch((error: unknown) => {
    if (lacksQuotas(error)) return undefined;
    throw error;
  });
  const record = quotas === undefined ? {} : readableQuotas(quotas, kinds);
  return creating.flatMap((plan) => {
    const { resource, steps, counts } = plan;
    const quota = hasQuota(resource) ? (record[resource.kind] ?? counts.quota) : undefined;
    if (quota === undefined) return [];
    const [creations, deletions] = [countSteps(steps, 'create'), countSteps(steps, 'delete')];
    return [{ plan, creations, deletions, ...quota }];
  });
}

function countSteps(steps: readonly PlanStep[], action: PlanStep['action']): number {
  return steps.filter((step) => step.action === action).length;
}

export function shortages(needs: readonly Need[]): readonly string[] {
  return needs.filter(isShort).map(({ plan, creations, deletions, limit, used, remaining }) => {
    const deleted = deletions === 0 ? '' : `, ${deletions} to delete`;
    const slots = roomFor(remaining, deletions);
    const room = slots === 0 ? 'is full' : `has room for ${slots}`;
    return `${plan.resource.kind}: ${creations} to create${deleted}, but the quota ${room} (${used} of ${limit} used)`;
  });
}

/** Such as `the list of teams may be incomplete: it shows 2 teams, and the quota counts 3`. */
export function describeUnlisted(needs: readonly Need[]): readonly string[] {
  return needs.flatMap(
    ({ plan, used }) => describeShortList(plan.resource, { listed: plan.counts.listed, used }) ?? [],
  );
}

/** @throws ServiceError `quota_exceeded`, before sending, if a plan does not fit */
export function assertRoom(needs: readonly Need[]): void {
  const short = needs.filter(isShort);
  const [first] = short;
  if (first === undefined) return;
  const { limit, used } = first;
  const fitsPruned = short.every(
    (need) => !isShort({ ...need, deletions: need.deletions + need.plan.prunable }),
  );
  throw new ServiceError('quota_exceeded', `${shortages(needs).join('; ')}; nothing was changed`, {
    quota: { kind: first.plan.resource.kind, limit, used },
    retryable: false,
    hint: `remove entries from the file${fitsPruned ? ', or make room: --prune deletes resources missing from the file' : ''}`,
  });
}

/** The deletions that make room in the quota for the creations of their kind. */
export function chooseFirstDeletions(needs: readonly Need[]): ReadonlySet<PlanStep> {
  return new Set(
    needs.flatMap(({ plan, creations, remaining }) =>
      plan.steps.filter(({ action }) => action === 'delete').slice(0, Math.max(0, creations - remaining)),
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
