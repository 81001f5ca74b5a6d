import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import type { KindPlan } from './plan.js';

/** Whether what a file lacks is deleted; `all`: however much that is. */
export type Prune = boolean | 'all';

/** @param value of `--prune`, which takes `all` or nothing */
export function parsePrune(value: string | boolean | undefined): Prune {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  if (value === 'all') return value;
  throw new UsageError(`--prune ${value}: takes nothing, or all as --prune=all`, {
    hint: 'a file goes before it: orgctl apply FILE --prune',
  });
}

/** Of a kind, more than so many at once, or than this part of all, is asked after again. */
const manyDeletions = 10;
const largePart = 0.3;

/**
 * Asks whether so much is meant to go, where it is much of a kind.
 *
 * @returns whether it is
 * @throws UsageError where there is no terminal to ask on
 */
export async function confirmPrune(
  plans: readonly KindPlan[],
  prune: Prune,
  { prompt }: Pick<Context, 'prompt'>,
): Promise<boolean> {
  if (prune === 'all') return true;
  for (const { resource, steps, total } of plans) {
    const count = steps.filter(({ action }) => action === 'delete').length;
    if (count <= manyDeletions && count <= total * largePart) continue;
    const question = `Delete ${count} of ${total} ${resource.plural}?`;
    const hint = 'without a terminal to ask on, --prune=all says that it is meant; --yes does not';
    if (!(await (await prompt()).confirm(question, { hint }))) return false;
  }
  return true;
}
