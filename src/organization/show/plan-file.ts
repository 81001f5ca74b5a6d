import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiKeys } from '../../api/resources/api-key.js';
import { toSingular } from '../../api/resources/index.js';
import type { z } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import type { Advice } from '../../errors/advice.js';
import { ConfigError, describeFileError, ServiceError, UsageError } from '../../errors/errors.js';
import { adviseWriting, refuseWriting } from '../../errors/write-failure.js';
import { readInputFile } from '../../input/input-file.js';
import { replaceFile } from '../../platform/durable-file.js';
import { printJson } from '../../text/exact-json.js';
import { maxFileBytes } from '../declaration/organization-file.js';
import type { KindPlan } from '../plan/plan.js';
import {
  describePrune,
  listLargeDeletions,
  type Prune,
  parsePrune,
  printPrune,
  withoutLimit,
} from '../plan/prune.js';
import { readKind } from '../read/existing-resources.js';
import type { OrganizationFile } from '../read/file-entry.js';
import { diffCommand, freePlanPath, type PlanFileOptions, typedPath } from './plan-place.js';
import { checkPlan, type KeptStep, type planSchema, planVersion } from './plan-schema.js';
import { type StepValue, stepValue } from './plan-value.js';

export interface SavedPlan extends z.infer<typeof planSchema> {
  /** The command that makes a new plan. */
  readonly diff: readonly string[];
  /** Advice to run it. */
  readonly renewal: Advice;
}

/** The command that applies a plan and confirms its large deletions. */
export function applyPlanCommand(
  file: string,
  out: string,
  plans: readonly KindPlan[],
  prune: Prune,
): readonly string[] {
  const isLarge = listLargeDeletions(plans, prune).length > 0;
  return [
    ...['orgctl', 'apply', typedPath(file), '--plan', typedPath(out)],
    ...(isLarge ? [describePrune(withoutLimit(prune))] : []),
  ];
}

/** Writes a plan, which has no secrets. @throws UsageError or ConfigError if the file cannot be written */
export async function writePlanFile(
  path: string,
  made: {
    readonly file: OrganizationFile;
    readonly plans: readonly KindPlan[];
    readonly options: PlanFileOptions;
  },
  api: Api,
  context: Context,
): Promise<void> {
  const { baseUrl, credential } = await context.settings().service();
  const keys = (await readKind(apiKeys, api, context)).map(({ id }) => id);
  const { prune, setSecrets } = made.options;
  const plan: Record<keyof z.infer<typeof planSchema>, unknown> = {
    plan: planVersion,
    base_url: baseUrl.href,
    api_keys: keys.length === 0 ? [credential.keyId] : keys,
    file_sha256: made.file.sha256,
    prune: printPrune(prune),
    set_secrets: setSecrets,
    changes: listStepValues(made.plans),
  };
  const place = resolve(context.system.cwd(), path);
  const isReplaced = existsSync(place);
  try {
    await replaceFile(place, `${printJson(plan, 2)}\n`);
  } catch (error) {
    throw refuseWriting(`--out ${path}: ${describeFileError(error)}`, {
      ...adviseWriting(error),
      cause: error,
    });
  }
  if (isReplaced) await context.note(`replaced the existing ${path}`);
}

/** @param file the organization file, for hints @throws UsageError; ConfigError for a plan of another version */
export async function readPlanFile(
  path: string,
  file: string,
  { system, whileBusy }: Context,
): Promise<SavedPlan> {
  const bytes = await readInputFile(resolve(system.cwd(), path), maxFileBytes).catch((error: unknown) => {
    throw new UsageError(`--plan ${path}: ${describeFileError(error)}`, { cause: error });
  });
  const checked = await whileBusy(() => checkPlan(bytes.toString('utf8'), path));
  if ('misfit' in checked) {
    const made = diffCommand(file, freePlanPath(system), { prune: parsePrune(undefined), setSecrets: false });
    const advice = { hint: 'make one', next: made };
    if ('isOtherVersion' in checked)
      throw new ConfigError(`${path} was written by another version of orgctl (${checked.misfit})`, advice);
    throw new UsageError(`${path} is not a plan: ${checked.misfit}`, advice);
  }
  const { data: plan } = checked;
  const options = { prune: parsePrune(plan.prune), setSecrets: plan.set_secrets };
  const diff = diffCommand(file, path, options);
  const renewal = { hint: 'make a new plan', next: diff };
  return { ...plan, diff, renewal };
}

/** Does not suggest making a new plan: it would be for another service, and replace the reviewed one. */
const otherPlace = { hint: 'use the profile that made the plan: --profile NAME' };

/** @throws ConfigError for another service or organization; ServiceError `rejected` for a changed file */
export async function assertSamePlace(
  plan: SavedPlan,
  file: OrganizationFile,
  api: Api,
  context: Context,
): Promise<void> {
  const { baseUrl, credential } = await context.settings().service();
  if (plan.base_url !== baseUrl.href) {
    throw new ConfigError(`the plan is for ${plan.base_url}, but this is ${baseUrl.href}`, otherPlace);
  }
  if (plan.file_sha256 !== file.sha256) throw outOfDate(plan, 'the file has changed');
  const known = new Set(plan.api_keys);
  if (known.has(credential.keyId)) return;
  // Keys may have changed meanwhile, but in the same organization at least one of the plan's should still exist.
  if ((await readKind(apiKeys, api, context)).some(({ id }) => known.has(id))) return;
  throw new ConfigError('the plan may be for another organization: none of its API keys exist in this one', {
    hint: `${otherPlace.hint}; if its keys were rotated since, make a new plan`,
    next: plan.diff,
  });
}

/** @throws ServiceError `rejected` if the plan would be different now */
export function assertSameSteps(plan: SavedPlan, plans: readonly KindPlan[]): void {
  const changed = changedSteps(plan.changes, listStepValues(plans));
  if (changed === undefined) return;
  const what = `${changed.text} ${changed.count === 1 ? 'has' : 'have'} changed`;
  throw outOfDate(plan, changed.isAdded ? `there is more to do for ${changed.text}` : what);
}

type NamedStep = Pick<KeptStep | StepValue, 'kind' | 'name'>;

interface ChangedSteps {
  /** Whether the earlier plan has nothing for any of them: they may be new. */
  readonly isAdded: boolean;
  readonly text: string;
  readonly count: number;
}

/** Describes steps that only one of the two plans has. */
function changedSteps(before: readonly NamedStep[], after: readonly NamedStep[]): ChangedSteps | undefined {
  const kept = new Map(before.map((step) => [printJson(step), step]));
  const now = new Map(after.map((step) => [printJson(step), step]));
  const other = [
    ...[...kept].filter(([text]) => !now.has(text)).map(([, step]) => step),
    ...[...now].filter(([text]) => !kept.has(text)).map(([, step]) => step),
  ];
  if (other.length === 0) return undefined;
  const nameStep = ({ kind, name }: NamedStep) => `${toSingular(kind)} ${JSON.stringify(name)}`;
  const names = [...new Set(other.map(nameStep))];
  const known = new Set(before.map(nameStep));
  const isAdded = names.every((name) => !known.has(name));
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  return { text: `${names.slice(0, maxListed).join(', ')}${more}`, count: names.length, isAdded };
}

const maxListed = 5;

function outOfDate({ renewal }: SavedPlan, why: string): ServiceError {
  return new ServiceError('rejected', `the plan is out of date: ${why}; nothing was applied`, renewal);
}

function listStepValues(plans: readonly KindPlan[]): readonly StepValue[] {
  return plans.flatMap(({ steps }) => steps.map(stepValue));
}
