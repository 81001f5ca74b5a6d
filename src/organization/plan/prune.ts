import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { isOrphanDeletion, type KindPlan } from './plan.js';

/** Whether to delete what the file lacks; `all`: however much. */
export type Prune = boolean | 'all';

export function parsePrune(value: string | boolean | undefined): Prune {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  if (value === 'all') return value;
  throw new UsageError(`--prune ${value}: takes no value but all, as --prune=all`, {
    hint: 'the file comes before it: orgctl apply FILE --prune',
  });
}

/** More deletions of a kind than this number or share need another confirmation. */
const manyDeletions = 10;
const largePart = 0.3;

/** Asks if much of a kind would be deleted. @returns whether it asked @throws UsageError; DeclinedError */
export async function confirmPrune(
  plans: readonly KindPlan[],
  prune: Prune,
  { prompt }: Pick<Context, 'prompt'>,
): Promise<boolean> {
  if (prune === 'all') return false;
  let isAsked = false;
  for (const { resource, steps, total } of plans) {
    const count = steps.filter((step) => step.action === 'delete' && !isOrphanDeletion(step)).length;
    if (count <= manyDeletions && count <= total * largePart) continue;
    const question = `Delete ${count} of ${total} ${resource.plural}?`;
    const hint = 'without a terminal to ask on, confirm with --prune=all; --yes is not enough';
    isAsked = true;
    await (await prompt()).confirm(question, { hint, declined: 'nothing was changed' });
  }
  return isAsked;
}
