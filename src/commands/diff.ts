import type { Command } from '@commander-js/extra-typings';
import { keepNextWord } from '../cli/command-words.js';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';
import type { Advice } from '../errors/advice.js';
import { ResultError } from '../errors/errors.js';
import { pruneWords } from '../organization/declaration/organization-file.js';
import type { KindPlan } from '../organization/plan/plan.js';
import type { Prune } from '../organization/plan/prune.js';

interface DiffOptions {
  readonly exitCode?: boolean | undefined;
  readonly out?: string | undefined;
  readonly setSecrets?: boolean | undefined;
  readonly prune?: string | boolean | undefined;
}

export function diff(command: Command, context: Context): void {
  keepNextWord(command, '--prune', pruneWords);
  withExamples(
    command
      .description(
        `Show what apply would do to make the organization match a file. It compares only what is in the file, and never secrets.`,
      )
      .argument('<file>', 'YAML or JSON as export writes it; - for stdin')
      .option('--exit-code', 'exit 15 when something would change')
      .option('--out <file>', 'write the plan, without secrets, for apply --plan; replaces only a plan')
      .option('--set-secrets', 'plan to send all secrets and settings that the service does not return')
      .option(
        '--prune [kinds]',
        'plan to delete resources missing from the file: of every kind in the file, or only of some kinds (--prune=teams,api-keys)',
      ),
    [
      ['orgctl diff org.yaml', 'what would change'],
      [
        'orgctl diff org.yaml --exit-code --out plan.json',
        'in CI: save the plan, and exit 15 if it has changes',
      ],
    ],
    { calls: 'service', writes: ['files'], exits: ['changes'] },
  ).action((file, options) => showDiff(file, options, context));
}

/** @throws ResultError `changes` after printing the plan, if there are changes and `--exit-code` is given */
async function showDiff(path: string, options: DiffOptions, context: Context): Promise<void> {
  // Loaded here, to keep help fast.
  const { planView, planRows, summarizeFile } = await import('../organization/show/show-plan.js');
  const printer = await context.printer();
  printer.check(planView, 'value');
  const { assertPruned, notePrunedProfiles, parsePrune } = await import('../organization/plan/prune.js');
  const { readOrganizationFile } = await import('../organization/read/read-file.js');
  const { compareWithOrganization } = await import('../organization/compare-with-organization.js');
  const { chooseFirstDeletions, describeUnlisted, quotaNeeds, shortages } = await import(
    '../organization/plan/quota.js'
  );
  const { planValue } = await import('../organization/show/plan-value.js');
  const { adviseEnabling } = await import('../organization/show/advise-enabling.js');
  const prune = parsePrune(options.prune);
  const setSecrets = options.setSecrets === true;
  const file = await readOrganizationFile(path, context);
  assertPruned(prune, file);
  if (options.out !== undefined) {
    const { assertPlanPlace } = await import('../organization/show/plan-place.js');
    await assertPlanPlace(path, options.out, { prune, setSecrets }, context);
  }
  const api = await context.api();
  const plans = await compareWithOrganization(file, { prune: prune.kinds, setSecrets }, api, context);
  const needs = await quotaNeeds(plans, api);
  if (options.out !== undefined) {
    const { writePlanFile } = await import('../organization/show/plan-file.js');
    await writePlanFile(options.out, { file, plans, options: { prune, setSecrets } }, api, context);
  }
  const shown = { plans, file, firstDeletions: chooseFirstDeletions(plans, needs) };
  await printer.value(planValue(plans, file), planRows(shown, await context.optionAdder()), planView);
  const short = shortages(needs);
  for (const shortage of short) await printer.warn(`${shortage}; apply would refuse`);
  for (const doubt of describeUnlisted(needs)) await printer.warn(doubt);
  await notePrunedProfiles(plans, context);
  const summary = summarizeFile(plans, file);
  const changes = plans.flatMap(({ steps }) => steps);
  const byHand = adviseEnabling(plans);
  if (options.exitCode && byHand?.count === changes.length)
    throw new ResultError('changes', summary, byHand.advice);
  if (changes.length > 0 && options.exitCode) {
    if (short.length > 0) throw new ResultError('changes', summary, roomAdvice);
    throw new ResultError('changes', summary, await adviseApply(path, options, plans, prune));
  }
  await context.note(summary);
}

const roomAdvice = { hint: 'make room in the quota or shorten the file, then run diff again' };

async function adviseApply(
  path: string,
  { out, prune, setSecrets }: DiffOptions,
  plans: readonly KindPlan[],
  parsed: Prune,
): Promise<Advice> {
  const { applyPlanCommand } = await import('../organization/show/plan-file.js');
  const { typedPath } = await import('../organization/show/plan-place.js');
  if (out !== undefined) return { next: applyPlanCommand(path, out, plans, parsed) };
  const pruning = prune === true ? '--prune' : `--prune=${prune}`;
  return {
    next: [
      ...['orgctl', 'apply', typedPath(path)],
      ...(prune === undefined ? [] : [pruning]),
      ...(setSecrets ? ['--set-secrets'] : []),
    ],
  };
}
