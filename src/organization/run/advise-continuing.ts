import { type AddOptions, formatCommand } from '../../errors/advice.js';
import { isUnserved } from '../../errors/errors.js';
import type { KindPlan } from '../plan/plan.js';
import { type Prune, parsePrune } from '../plan/prune.js';
import { adviseWholeSettings } from '../show/advise-whole-settings.js';
import { applyPlanCommand } from '../show/plan-file.js';
import { diffCommand } from '../show/plan-place.js';
import type { Left } from './execute.js';

/** A run of `apply`, for suggested commands that repeat its choices. */
export interface Run {
  readonly path: string;
  readonly prune: Prune;
  readonly setSecrets: boolean;
  readonly plans: readonly KindPlan[];
  /** The path of the suggested plan. */
  readonly out: string;
  readonly addOptions: AddOptions;
}

/** Commands that make a plan and apply it. */
export function adviseReview({ path, plans, out, addOptions, ...choices }: Run): string {
  const apply = applyPlanCommand(path, out, plans, choices.prune);
  return `${formatCommand(addOptions(diffCommand(path, out, choices)))}, then ${formatCommand(addOptions(apply))}`;
}

/**
 * Advises repeating the command, unless its plan will be out of date.
 * @param isReviewed whether the run applied a plan file
 */
export function adviseContinuing(
  run: Run,
  { isReviewed }: { readonly isReviewed: boolean },
): (left: Left, failures: readonly unknown[]) => string {
  return (left, failures) => {
    const edits = adviseEdits(left, run);
    const unserved = failures.filter(isUnserved);
    const deletions = unserved.filter(({ details }) => details.method === 'DELETE');
    const uncalled =
      deletions.length === unserved.length
        ? ''
        : 'take changes for which the service has no call out of the file; then ';
    return `${edits}${uncalled}${adviseNext(run, left, { isReviewed, keepsExtra: deletions.length > 0 })}`;
  };
}

/** Steps before the next run, each ending with "; then ". */
function adviseEdits(
  { mayHaveCreated, hasOtherNames, duplicateKinds, lossyChange }: Left,
  { addOptions }: Run,
): string {
  const kinds = duplicateKinds.map(({ plural }) => plural).join(' and ');
  return [
    // The next run would not find a resource whose name the service changed.
    hasOtherNames ? 'first write each name in the file as the service stores it; ' : '',
    kinds && `first delete all but one of the ${kinds} with the same name, or pin one by its id; then `,
    lossyChange && `${adviseWholeSettings(lossyChange, addOptions)}; then `,
    mayHaveCreated ? 'wait a minute, because new resources may not be listed yet; then ' : '',
  ].join('');
}

/** @param keepsExtra whether the service has no call for deletions */
function adviseNext(
  run: Run,
  { lossyChange }: Left,
  { isReviewed, keepsExtra }: { readonly isReviewed: boolean; readonly keepsExtra: boolean },
): string {
  if (isReviewed)
    return `continue with a new plan: ${adviseReview(keepsExtra ? { ...run, prune: parsePrune(undefined) } : run)}`;
  // With --set-secrets, the next run would send secrets without the other settings, which the service would drop.
  const drops = lossyChange !== undefined && run.setSecrets;
  const omitted = [...(keepsExtra ? ['--prune'] : []), ...(drops ? ['--set-secrets'] : [])].join(' and ');
  return `run the same command${omitted && ` without ${omitted}`} to continue`;
}
