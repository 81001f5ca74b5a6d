import type { Api } from '../client/api.js';
import { lacksQuotas } from '../client/quota-record.js';
import { readableQuotas } from '../commands/quotas/reading.js';
import { ServiceError } from '../errors/errors.js';
import { countSteps, type KindPlan } from './plan.js';
import type { PlanStep } from './step.js';

export interface Need {
  readonly plan: KindPlan;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/** The quotas of kinds whose resources are created; none if the service has no quotas. */
export async function quotaNeeds(plans: readonly KindPlan[], api: Api): Promise<readonly Need[]> {
  const creating = plans.filter((plan) => countSteps(plan, 'create') > 0);
  if (creating.length === 0) return [];
  const answer = await api.quotas.readAnswer().catch((error: unknown) => {
    if (lacksQuotas(error)) return undefined;
    throw error;
  });
  if (answer === undefined) return [];
  const kinds = creating.map(({ resource }) => resource.kind);
  const record = readableQuotas(answer, kinds);
  return creating.flatMap((plan) => {
    const quota = record[plan.resource.kind];
    return quota === undefined ? [] : [{ plan, ...quota }];
  });
}

/** What does not fit, such as `teams: 2 to create, but the quota is full (20 of 20 used)`. */
export function shortages(needs: readonly Need[]): readonly string[] {
  return needs.filter(isShort).map(({ plan, limit, used, remaining }) => {
    const deletions = countSteps(plan, 'delete');
    const deleted = deletions === 0 ? '' : `, ${deletions} to delete`;
    const room = roomFor(remaining, deletions);
    const left = room === 0 ? 'is full' : `has room for ${room}`;
    return `${plan.resource.kind}: ${countSteps(plan, 'create')} to create${deleted}, but the quota ${left} (${used} of ${limit} used)`;
  });
}

/** @throws ServiceError `quota_exceeded`, before sending, if a plan does not fit */
export function assertRoom(needs: readonly Need[]): void {
  const first = needs.find(isShort);
  if (first === undefined) return;
  const { plan, limit, used } = first;
  throw new ServiceError('quota_exceeded', `${shortages(needs).join('; ')}; nothing was changed`, {
    quota: { kind: plan.resource.kind, limit, used },
    retryable: false,
    hint: 'remove entries from the file, or make room: --prune deletes resources missing from the file',
  });
}

/** The deletions that make room in the quota for the creations of their kind. */
export function chooseFirstDeletions(needs: readonly Need[]): ReadonlySet<PlanStep> {
  return new Set(
    needs.flatMap(({ plan, remaining }) => {
      const deletions = plan.steps.filter(({ value }) => value.action === 'delete');
      return deletions.slice(0, Math.max(0, countSteps(plan, 'create') - remaining));
    }),
  );
}

function isShort({ plan, remaining }: Need): boolean {
  return countSteps(plan, 'create') > roomFor(remaining, countSteps(plan, 'delete'));
}

// After a limit was lowered, `remaining` can be negative; the first deletions only make up for that.
function roomFor(remaining: number, deletions: number): number {
  return Math.max(0, remaining + deletions);
}
