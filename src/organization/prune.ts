import type { Context } from '../cli/context.js';
import { describeService } from '../commands/resource/confirm.js';
import { UsageError } from '../errors/errors.js';
import { pruneAll } from './file.js';
import { countSteps, type KindPlan } from './plan.js';

/** `all` also confirms large deletions. */
export type Prune = boolean | typeof pruneAll;

export function parsePrune(given: string | boolean = false): Prune {
  if (typeof given === 'boolean' || given === pruneAll) return given;
  throw new UsageError(`--prune=${given}: only "${pruneAll}" can follow --prune=`, {
    hint: 'to delete only of some kinds, leave the others out of the file',
  });
}

/** More deletions of a kind than this number, or than `largePart` of the kind, need another confirmation. */
const manyDeletions = 10;
const largePart = 0.3;

export async function confirmPrune(
  plans: readonly KindPlan[],
  prune: Prune,
  context: Context,
): Promise<void> {
  if (prune === pruneAll) return;
  for (const plan of plans) {
    const count = countSteps(plan, 'delete');
    if (count <= manyDeletions && count <= plan.total * largePart) continue;
    const service = await describeService(context);
    const question = `Delete ${count} of ${plan.total} ${plan.resource.plural} on ${service}?`;
    const hint = 'confirm with --prune=all; --yes is not enough';
    await (await context.prompt()).confirm(question, { hint, declined: 'nothing was changed' });
  }
}
