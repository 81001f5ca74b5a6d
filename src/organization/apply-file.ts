import type { Context } from '../cli/context.js';
import { describeService, refuseReadOnly } from '../commands/resource/confirm.js';
import { UsageError } from '../errors/errors.js';
import { canAsk } from '../terminal/output/streams.js';
import { speaksJson } from '../terminal/text/sanitize.js';
import { execute } from './execute.js';
import { listReferences } from './file.js';
import { countSteps, type KindPlan, makePlan } from './plan.js';
import { assertSamePlace, assertSameSteps, newPlan, readPlanFile, type SavedPlan } from './plan-file.js';
import { assertRoom, chooseFirstDeletions, quotaNeeds } from './quota.js';
import { type OrganizationFile, readOrganizationFile } from './read-file.js';
import { openTargets, readSecrets } from './secrets.js';
import { showPlan, stepView, summarizePlan } from './show.js';

const pruneAll = 'all';

interface ApplyOptions {
  readonly yes?: boolean | undefined;
  readonly plan?: string | undefined;
  readonly setSecrets?: boolean | undefined;
  readonly prune?: string | boolean | undefined;
  readonly commands?: boolean | undefined;
}

/** Reads the file's secrets and runs its commands only after confirmation. @throws like `runBulk` once changes begin */
export async function applyFile(path: string, options: ApplyOptions, context: Context): Promise<void> {
  const printer = await context.printer();
  printer.check(stepView);
  const saved = options.plan === undefined ? undefined : await readPlanFile(options.plan, context);
  const prune = choosePrune(options, saved);
  const setSecrets = saved?.set_secrets ?? options.setSecrets === true;
  const file = await readOrganizationFile(path, context);
  if (options.commands === false) refuseCommands(file);
  if (saved !== undefined) await assertSamePlace(saved, file, context);
  const plans = await makePlan(file, { prune: prune !== false, setSecrets }, context);
  if (saved !== undefined) assertSameSteps(saved, plans);
  if (plans.every(({ steps }) => steps.length === 0))
    return printer.list([], { ...stepView, empty: summarizePlan(plans) });
  await refuseReadOnly(context);
  const api = await context.api();
  const needs = await quotaNeeds(plans, api);
  assertRoom(needs);
  await present(plans, file, context);
  if (options.yes !== true && saved === undefined) await confirmPlan(plans, context);
  if (prune !== pruneAll) await confirmPrune(plans, context);
  const ready = await prepare(plans, file, context);
  const firstDeletions = chooseFirstDeletions(needs);
  await execute(plans, { ...ready, firstDeletions, isSavedPlan: saved !== undefined }, api, context);
}

/** `all` on the command line confirms large deletions, even if the plan was made without it. */
function choosePrune({ prune = false, setSecrets }: ApplyOptions, saved: SavedPlan | undefined) {
  if (saved === undefined) return prune;
  if ((prune !== false && saved.prune === false) || (setSecrets === true && !saved.set_secrets))
    throw new UsageError('--prune or --set-secrets is given, but the plan was made without it', newPlan);
  return prune === pruneAll ? prune : saved.prune;
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

/** Shows the plan; with `--quiet` or JSON output, only if a person can answer. */
async function present(plans: readonly KindPlan[], file: OrganizationFile, context: Context): Promise<void> {
  const { value: format } = await context.settings().output();
  if (canAsk(context) || !(context.flags().quiet || speaksJson(format))) await showPlan(plans, file, context);
}

async function confirmPlan(plans: readonly KindPlan[], context: Context): Promise<void> {
  const prompt = await context.prompt();
  const service = await describeService(context);
  await prompt.confirm(`${summarizePlan(plans)}. Apply these changes on ${service}?`, {
    hint: 'pass --yes, or --plan with a reviewed plan',
    declined: 'nothing was changed',
  });
}

/** More deletions of a kind than this number, or than `largePart` of the kind, need another confirmation. */
const manyDeletions = 10;
const largePart = 0.3;

async function confirmPrune(plans: readonly KindPlan[], context: Context): Promise<void> {
  for (const plan of plans) {
    const count = countSteps(plan, 'delete');
    if (count <= manyDeletions && count <= plan.total * largePart) continue;
    const service = await describeService(context);
    const question = `Delete ${count} of ${plan.total} ${plan.resource.plural} on ${service}?`;
    const hint = 'confirm with --prune=all; --yes is not enough';
    await (await context.prompt()).confirm(question, { hint, declined: 'nothing was changed' });
  }
}

/** @throws UsageError for unusable secrets and targets */
async function prepare(plans: readonly KindPlan[], file: OrganizationFile, context: Context) {
  const steps = plans.flatMap((plan) => plan.steps);
  const entriesOf = (some: typeof steps) => some.flatMap(({ entry }) => entry ?? []);
  const sending = entriesOf(steps.filter(({ sent }) => sent.length > 0));
  const created = entriesOf(steps.filter(({ value }) => value.action === 'create'));
  const secrets = await readSecrets(sending, file, context);
  const { targets, problems } = await openTargets(created, file, context);
  context.signal.throwIfAborted();
  const all = [...secrets.problems, ...problems];
  if (all.length > 0) throw file.refusal(all);
  return { secrets, targets };
}
