import { apiKeys } from '../api/resources/api-key.js';
import type { Context } from '../cli/context.js';
import { describeService } from '../commands/resource/confirm.js';
import { refuseReadOnly } from '../commands/resource/print.js';
import { UsageError } from '../errors/errors.js';
import { canAsk } from '../terminal/interaction/can-ask.js';
import { speaksJson } from '../terminal/text/message-line.js';
import { listReferences } from './declaration/organization-file.js';
import { type KindPlan, makePlan } from './plan/plan.js';
import {
  assertPruned,
  confirmPrune,
  describePrune,
  listLargeDeletions,
  notePrunedProfiles,
  type Prune,
  parsePrune,
  prunesSameKinds,
  withoutLimit,
} from './plan/prune.js';
import { assertRoom, chooseFirstDeletions, describeUnlisted, quotaNeeds } from './plan/quota.js';
import type { OrganizationFile } from './read/file-entry.js';
import { readOrganizationFile } from './read/read-file.js';
import { execute, type Ready } from './run/execute.js';
import { openTargets, readSecrets } from './run/secrets.js';
import {
  assertSamePlace,
  assertSameSteps,
  diffCommand,
  readPlanFile,
  type SavedPlan,
} from './show/plan-file.js';
import { type ShownPlan, showPlan, summarizeFile, summarizePlan } from './show/show-plan.js';
import { stepView } from './show/step-view.js';

export interface ApplyOptions {
  readonly yes?: boolean | undefined;
  readonly plan?: string | undefined;
  readonly setSecrets?: boolean | undefined;
  readonly prune?: string | boolean | undefined;
  readonly commands?: boolean | undefined;
}

interface Wanted {
  readonly prune: Prune;
  readonly setSecrets: boolean;
  readonly plan?: SavedPlan;
}

/** Reads the file's secrets and runs its commands only after confirmation. @throws like `runBulk` once changes begin */
export async function applyFile(path: string, options: ApplyOptions, context: Context): Promise<void> {
  const printer = await context.printer();
  printer.check(stepView, 'list');
  const { prune, setSecrets, plan } = await readWanted(path, options, context);
  const file = await readOrganizationFile(path, context);
  assertPruned(prune, file);
  if (options.commands === false) refuseCommands(file);
  const api = await context.api();
  if (plan !== undefined) await assertSamePlace(plan, file, api, context);
  const plans = await makePlan(file, { prune: prune.kinds, setSecrets }, api, context);
  if (plan !== undefined) assertSameSteps(plan, plans);
  if (plans.every(({ steps }) => steps.length === 0))
    return printer.list([], { ...stepView, empty: summarizeFile(plans, file) });
  await refuseReadOnly(context);
  const needs = await quotaNeeds(plans, api);
  assertRoom(needs);
  for (const doubt of describeUnlisted(needs)) await printer.warn(doubt);
  const firstDeletions = chooseFirstDeletions(needs);
  const isConfirmed = options.yes === true || plan !== undefined;
  await confirmPlan({ plans, file, firstDeletions }, prune, isConfirmed, context);
  const ready = { ...(await prepare(plans, file, context)), firstDeletions };
  const advice =
    plan === undefined
      ? {
          hint: 'see the rows above, then run the same command to continue; if an outcome is unknown, wait a minute first',
        }
      : plan.renewal;
  await execute(plans, ready, advice, api, context);
}

function refuseCommands(file: OrganizationFile): void {
  const paths = [...file.kinds.values()].flat().flatMap(({ entry, path }) => [
    ...listReferences(entry)
      .filter(({ reference }) => 'command' in reference)
      .map((one) => [...path, ...one.path]),
    ...(entry.secret_to !== undefined && 'command' in entry.secret_to ? [[...path, 'secret_to']] : []),
  ]);
  if (paths.length === 0) return;
  throw file.refusal(paths.map((path) => ({ path, what: 'is a command, which --no-commands forbids' })));
}

async function readWanted(path: string, options: ApplyOptions, context: Context): Promise<Wanted> {
  const prune = parsePrune(options.prune);
  const setSecrets = options.setSecrets === true;
  if (options.plan === undefined) return { prune, setSecrets };
  const plan = await readPlanFile(options.plan, path, context);
  const planned = parsePrune(plan.prune);
  const isOtherPrune = options.prune !== undefined && !prunesSameKinds(prune, planned);
  if (isOtherPrune || (setSecrets && !plan.set_secrets)) {
    const what = isOtherPrune
      ? `--prune differs from the plan, which was made with ${describePrune(planned)}`
      : 'the plan was made without --set-secrets';
    const wanted = {
      prune: options.prune === undefined ? planned : prune,
      setSecrets: setSecrets || plan.set_secrets,
    };
    throw new UsageError(what, { hint: 'make a new plan', next: diffCommand(path, options.plan, wanted) });
  }
  // `all` on the command line confirms large deletions, even if the plan was made without it.
  const isUnlimited = planned.isUnlimited || prune.isUnlimited;
  return { prune: { ...planned, isUnlimited }, setSecrets: plan.set_secrets, plan };
}

/** Reads the secrets and opens the secret targets of a plan. @throws UsageError for unusable ones */
async function prepare(
  plans: readonly KindPlan[],
  file: OrganizationFile,
  context: Context,
): Promise<Omit<Ready, 'firstDeletions'>> {
  const steps = plans.flatMap((plan) => plan.steps);
  const created = steps.filter((step) => step.action === 'create').map(({ entry }) => entry);
  const resent = steps.filter((step) => step.action === 'change').filter(({ sent }) => sent.length > 0);
  const secrets = await readSecrets([...created, ...resent.map(({ entry }) => entry)], file, context);
  const newKeys = created.filter(({ resource }) => resource.kind === apiKeys.kind);
  const { targets, problems } = await openTargets(newKeys, file, context);
  context.signal.throwIfAborted();
  const all = [...secrets.problems, ...problems];
  if (all.length > 0) throw file.refusal(all);
  return { secrets, targets };
}

async function confirmPlan(
  shown: ShownPlan,
  prune: Prune,
  isConfirmed: boolean,
  context: Context,
): Promise<void> {
  const { plans } = shown;
  const { value: format } = await context.settings().output();
  // With JSON output, stderr has only JSON lines, unless a person can answer.
  if (canAsk(context) || !(context.flags().quiet || speaksJson(format))) await showPlan(shown, context);
  await notePrunedProfiles(plans, context);
  if (!isConfirmed && plans.some(({ steps }) => steps.some(({ action }) => action !== 'enable'))) {
    const prompt = await context.prompt();
    const isLarge = listLargeDeletions(plans, prune).length > 0;
    const hint = isLarge
      ? `pass --yes and ${describePrune(withoutLimit(prune))}`
      : 'pass --yes, or --plan with a reviewed plan';
    const service = await describeService(context.settings());
    await prompt.confirm(`${summarizePlan(plans)}. Apply these changes on ${service}?`, {
      hint,
      declined: 'nothing was changed',
    });
  }
  await confirmPrune(plans, prune, context);
}
