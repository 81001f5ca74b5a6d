import type { KindPlan, PlanStep } from '../plan/plan.js';
import { missingSlots, type Need } from '../plan/quota.js';
import { listFreeing } from './order-by-names.js';

/** The deletions that make room in the quota for creations, preferably of resources that have a needed name. */
export function chooseFirstDeletions(
  plans: readonly KindPlan[],
  needs: readonly Need[],
): ReadonlySet<PlanStep> {
  const missing = missingSlots(needs);
  return new Set(
    plans.flatMap(({ resource, steps }) => {
      const freeing = listFreeing(steps);
      const others = listDeletions(steps).filter((step) => !freeing.has(step));
      return [...freeing, ...others].slice(0, missing.get(resource.kind) ?? 0);
    }),
  );
}

export function listDeletions(steps: readonly PlanStep[]): readonly PlanStep[] {
  return steps.filter(({ action }) => action === 'delete');
}
