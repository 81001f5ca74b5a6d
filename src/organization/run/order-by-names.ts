import type { PlanStep } from '../plan/plan.js';

/** Steps of one kind in stages: a service may refuse a name until the rename that frees it is done. */
export function orderByNames(steps: readonly PlanStep[]): readonly (readonly PlanStep[])[] {
  const stages: PlanStep[][] = [];
  let waiting = steps;
  while (waiting.length > 0) {
    const held = new Set<unknown>(waiting.flatMap((step) => readFreedName(step) ?? []));
    const isFree = (step: PlanStep) => !held.has(readNeededName(step));
    const free = waiting.filter(isFree);
    // Pinned resources that swap names wait for each other, so no order helps.
    stages.push(free.length === 0 ? [...waiting] : free);
    waiting = free.length === 0 ? [] : waiting.filter((step) => !isFree(step));
  }
  return stages;
}

/** The name that a creation or rename gives. */
export function readNeededName(step: PlanStep): unknown {
  if (step.action === 'create') return step.name;
  return step.action === 'change' ? step.patch['name'] : undefined;
}

/** The former name of a rename. */
export function readFreedName(step: PlanStep): unknown {
  return readNeededName(step) === undefined || step.action !== 'change' ? undefined : step.existing['name'];
}
