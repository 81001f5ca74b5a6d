import type { PlanStep } from '../plan/plan.js';

/** Puts steps of one kind into stages: a service may refuse a name until the step that frees it is done. */
export function orderByNames(steps: readonly PlanStep[]): readonly (readonly PlanStep[])[] {
  const stages: PlanStep[][] = [];
  let waiting = steps;
  while (waiting.length > 0) {
    const held = new Set<unknown>(waiting.flatMap((step) => readFreedName(step) ?? []));
    const isFree = (step: PlanStep) => !held.has(readNeededName(step));
    const free = waiting.filter(isFree);
    // Deletes late, in case an earlier step fails.
    const kept = free.filter(({ action }) => action !== 'delete');
    const next = new Set(kept.length === 0 ? free : kept);
    // Pinned resources that swap names wait for each other, so no order helps.
    stages.push(next.size === 0 ? [...waiting] : [...next]);
    waiting = next.size === 0 ? [] : waiting.filter((step) => !next.has(step));
  }
  return stages;
}

/** The name that a creation or rename gives. */
export function readNeededName(step: PlanStep): unknown {
  if (step.action === 'create') return step.name;
  return step.action === 'change' ? step.patch['name'] : undefined;
}

/** The name of a pruned resource, or the former name of a renamed one. */
export function readFreedName(step: PlanStep): unknown {
  if (step.action === 'delete') return step.existing['name'];
  return readNeededName(step) === undefined || step.action !== 'change' ? undefined : step.existing['name'];
}

/** Deletions that free a name that another step needs. */
export function listFreeing(steps: readonly PlanStep[]): ReadonlySet<PlanStep> {
  const needed = new Set(steps.map(readNeededName));
  const isFreeing = (step: PlanStep) => {
    const name = step.action === 'delete' ? readFreedName(step) : undefined;
    return name !== undefined && needed.has(name);
  };
  return new Set(steps.filter(isFreeing));
}
