import { apiKeys } from '../api/resources/api-key.js';
import type { Context } from '../cli/context.js';
import type { Api } from '../client/api.js';
import { describeService } from '../commands/resource/confirm.js';
import { refuseReadOnly } from '../commands/resource/print.js';
import { ServiceError, UsageError } from '../errors/errors.js';
import { canAsk } from '../terminal/interaction/can-ask.js';
import { speaksJson } from '../terminal/text/message-line.js';
import { compareWithOrganization } from './compare-with-organization.js';
import { listReferences } from './declaration/organization-file.js';
import type { KindPlan, PlanStep } from './plan/plan.js';
import {
  assertPruned,
  confirmPrune,
  describePrune,
  listLargeDeletions,
  type Prune,
  parsePrune,
  prunesSameKinds,
  withoutLimit,
} from './plan/prune.js';
import { assertRoom, describeUnlisted, type Need, quotaNeeds } from './plan/quota.js';
import type { OrganizationFile } from './read/file-entry.js';
import { readOrganizationFile } from './read/read-file.js';
import { adviseContinuing, adviseReview, type Run } from './run/advise-continuing.js';
import { execute, type Ready } from './run/execute.js';
import { chooseFirstDeletions } from './run/first-deletions.js';
import { readSecrets } from './run/references.js';
import { openTargets } from './run/secret-targets.js';
import {
  assertSamePlace,
  assertSameSteps,
  assertStillSame,
  readPlanFile,
  type SavedPlan,
} from './show/plan-file.js';
import { diffCommand, freePlanPath } from './show/plan-place.js';
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
  const wanted = await readWanted(path, options, context);
  const file = await readOrganizationFile(path, context);
  assertPruned(wanted.prune, file);
  if (options.commands === false) refuseCommands(file);
  const api = await context.api();
  const addOptions = await context.optionAdder();
  if (wanted.plan !== undefined) await assertSamePlace(wanted.plan, file, api, context);
  const { prune, setSecrets } = wanted;
  const compare = (context: Parameters<typeof compareWithOrganization>[3]) =>
    compareWithOrganization(file, { prune: prune.kinds, setSecrets }, api, context);
  const look = async (context: Context) => {
    const plans = await compare(context);
    if (wanted.plan !== undefined) assertSameSteps(wanted.plan, plans);
    const isDone = plans.every(({ steps }) => steps.length === 0);
    return { plans, needs: isDone ? undefined : await requireRoom(plans, api, context) };
  };
  const silent = { ...context, note: async () => undefined };
  const first = await look(context);
  // A list that lags behind the quota may have caught up.
  const { plans, needs } = describeUnlisted(first.needs).length === 0 ? first : await look(silent);
  if (needs === undefined) return printer.list([], { ...stepView, empty: summarizeFile(plans, file) });
  const run: Run = { path, prune, setSecrets, plans, addOptions, out: freePlanPath(context.system) };
  await admitUnlisted(needs, () => adviseReview(run), options, context);
  const firstDeletions = chooseFirstDeletions(plans, needs);
  const isReviewed = wanted.plan !== undefined;
  const choices = { isReviewed, yes: options.yes === true };
  const isAsked = await confirmPlan({ plans, file, firstDeletions }, run, choices, context);
  // Notes were already printed the first time.
  if (isAsked) assertStillSame(plans, await compare(silent));
  const ready = { ...(await prepare(plans, file, context)), firstDeletions };
  // The plan of this run is out of date, so a new one may replace it.
  const next = { ...run, out: options.plan ?? run.out };
  await execute(plans, ready, adviseContinuing(next, choices), api, context);
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
  if (options.plan === undefined) return { prune, setSecrets: options.setSecrets === true };
  const plan = await readPlanFile(options.plan, path, context);
  const setSecrets = options.setSecrets === true || plan.set_secrets;
  const planned = parsePrune(plan.prune);
  const others = [
    ...(options.prune === undefined || prunesSameKinds(prune, planned)
      ? []
      : [`--prune differs from the plan, which was made with ${describePrune(planned)}`]),
    ...(setSecrets && !plan.set_secrets ? ['the plan was made without --set-secrets'] : []),
  ];
  if (others.length > 0) {
    const wanted = { prune: options.prune === undefined ? planned : prune, setSecrets };
    throw new UsageError(others.join('; '), {
      hint: 'make a new plan',
      next: diffCommand(path, options.plan, wanted),
    });
  }
  // `all` on the command line confirms large deletions, even if the plan was made without it.
  const isUnlimited = planned.isUnlimited || prune.isUnlimited;
  return { prune: { ...planned, isUnlimited }, setSecrets, plan };
}

/** Refuses changes with a read-only profile, and more creations than the quotas allow. */
async function requireRoom(
  plans: readonly KindPlan[],
  api: Api,
  context: Pick<Context, 'settings'>,
): ReturnType<typeof quotaNeeds> {
  await refuseReadOnly(context);
  const needs = await quotaNeeds(plans, api);
  assertRoom(needs);
  return needs;
}

/**
 * Without a reviewed plan or a prompt, refuses creations on lists that show fewer than the quota counts.
 * @throws ServiceError `server`
 */
async function admitUnlisted(
  needs: readonly Need[],
  review: () => string,
  { yes, plan }: ApplyOptions,
  { printer }: Pick<Context, 'printer'>,
): Promise<void> {
  const doubts = describeUnlisted(needs);
  if (yes && plan === undefined && doubts.length > 0) {
    throw new ServiceError('server', `${doubts.join('; ')}; nothing was changed`, {
      retryable: false,
      hint: `wait a minute and run it again; if the quota counts more than the list has, review the plan: ${review()}`,
    });
  }
  for (const doubt of doubts) await (await printer()).warn(doubt);
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
  run: Run,
  { isReviewed, yes }: { readonly isReviewed: boolean; readonly yes: boolean },
  context: Context,
): Promise<boolean> {
  const { plans, prune } = run;
  const asks = !isReviewed && !yes && plans.some(({ steps }) => steps.some(canApply));
  const { value: format } = await context.settings().output();
  // With JSON output, stderr has only JSON lines, unless a person can answer.
  if (canAsk(context) || !(context.flags().quiet || speaksJson(format))) await showPlan(shown, context);
  if (asks) {
    const prompt = await context.prompt();
    const hint = adviseYes(listLargeDeletions(plans, prune).length > 0, prune);
    const service = await describeService(context.settings());
    await prompt.confirm(`${summarizePlan(plans)}. Apply these changes on ${service}?`, {
      hint,
      declined: 'nothing was changed',
    });
  }
  return (await confirmPrune(plans, prune, context)) || asks;
}

/** The options that confirm a plan without a prompt. */
function adviseYes(deletesMany: boolean, prune: Prune): string {
  return deletesMany
    ? `pass --yes and ${describePrune(withoutLimit(prune))}`
    : 'pass --yes, or --plan with a reviewed plan';
}

function canApply({ action }: PlanStep): boolean {
  return action !== 'enable';
}
