import type { Context } from '../cli/context.js';
import type { Advice } from '../errors/advice.js';
import { ResultError } from '../errors/errors.js';
import { type KindPlan, makePlan } from './plan/plan.js';
import {
  assertPruned,
  describePrune,
  listLargeDeletions,
  notePrunedProfiles,
  type Prune,
  parsePrune,
  withoutLimit,
} from './plan/prune.js';
import { chooseFirstDeletions, describeUnlisted, quotaNeeds, shortages } from './plan/quota.js';
import { readOrganizationFile } from './read/read-file.js';
import { assertPlanPlace, typedPath, writePlanFile } from './show/plan-file.js';
import { planValue } from './show/plan-value.js';
import { adviseEnabling, planRows, planView, summarizeFile } from './show/show-plan.js';

export interface DiffOptions {
  readonly exitCode?: boolean | undefined;
  readonly out?: string | undefined;
  readonly setSecrets?: boolean | undefined;
  readonly prune?: string | boolean | undefined;
}

/** @throws ResultError `changes` after printing the plan, if there are changes and `--exit-code` is given */
export async function diffFile(path: string, options: DiffOptions, context: Context): Promise<void> {
  const printer = await context.printer();
  printer.check(planView, 'value');
  const prune = parsePrune(options.prune);
  const setSecrets = options.setSecrets === true;
  const file = await readOrganizationFile(path, context);
  assertPruned(prune, file);
  const { out } = options;
  if (out !== undefined) await assertPlanPlace(out, context);
  const api = await context.api();
  const plans = await makePlan(file, { prune: prune.kinds, setSecrets }, api, context);
  const needs = await quotaNeeds(plans, api);
  if (out !== undefined) await writePlanFile(out, { file, plans, prune, setSecrets }, api, context);
  const shown = { plans, file, firstDeletions: chooseFirstDeletions(needs) };
  await printer.value(planValue(plans, file), planRows(shown, await context.optionAdder()), planView);
  const short = shortages(needs);
  for (const shortage of short) await printer.warn(`${shortage}; apply would refuse`);
  for (const doubt of describeUnlisted(needs)) await printer.warn(doubt);
  await notePrunedProfiles(plans, context);
  const summary = summarizeFile(plans, file);
  const count = plans.reduce((sum, { steps }) => sum + steps.length, 0);
  if (count === 0 || !options.exitCode) return context.note(summary);
  const byHand = adviseEnabling(plans);
  if (byHand?.count === count) throw new ResultError('changes', summary, byHand.advice);
  throw new ResultError(
    'changes',
    summary,
    short.length > 0 ? roomAdvice : adviseApply(path, options, plans, prune),
  );
}

const roomAdvice = { hint: 'make room in the quota or shorten the file, then run diff again' };

function adviseApply(
  path: string,
  { out, setSecrets }: DiffOptions,
  plans: readonly KindPlan[],
  prune: Prune,
): Advice {
  const isLarge = listLargeDeletions(plans, prune).length > 0;
  const confirmed = isLarge ? [describePrune(withoutLimit(prune))] : [];
  const choices =
    out === undefined
      ? [...(prune.kinds.size === 0 ? [] : [describePrune(prune)]), ...(setSecrets ? ['--set-secrets'] : [])]
      : ['--plan', typedPath(out), ...confirmed];
  return { next: ['orgctl', 'apply', typedPath(path), ...choices] };
}
