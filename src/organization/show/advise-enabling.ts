import type { Advice } from '../../errors/advice.js';
import type { KindPlan } from '../plan/plan.js';

export interface Enabling {
  readonly count: number;
  readonly advice: Advice;
}

/** How to enable keys by hand, because the API cannot; `undefined` if there are none to enable. */
export function adviseEnabling(plans: readonly KindPlan[]): Enabling | undefined {
  const steps = plans.flatMap((plan) => plan.steps).filter(({ action }) => action === 'enable');
  const [id] = steps.flatMap((step) => ('existing' in step ? step.existing.id : []));
  if (id === undefined) return undefined;
  const them = steps.length === 1 ? 'it' : 'them';
  const advice = {
    hint: `enable ${them} in the management console; on a local server`,
    next: ['orgctl', 'local', 'keys', 'enable', id],
  };
  return { count: steps.length, advice };
}
