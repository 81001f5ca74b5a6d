import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiKeys } from '../../api/resources/api-key.js';
import { toSingular } from '../../api/resources/index.js';
import { isResource } from '../../api/resources/resource.js';
import { type CheckedValue, checkValue, z } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import type { Advice } from '../../errors/advice.js';
import { ConfigError, describeFileError, ServiceError, UsageError } from '../../errors/errors.js';
import { adviseWriting, refuseWriting } from '../../errors/write-failure.js';
import { readInputFile } from '../../input/document-file.js';
import { parseInputJson } from '../../input/json-text.js';
import { replaceFile } from '../../platform/durable-file.js';
import { whyKept } from '../../platform/regular-file.js';
import { printJson } from '../../text/exact-json.js';
import { maxFileBytes } from '../declaration/organization-file.js';
import type { KindPlan } from '../plan/plan.js';
import { describePrune, type Prune, parsePrune, printPrune } from '../plan/prune.js';
import { readKind } from '../read/existing-resources.js';
import type { OrganizationFile } from '../read/file-entry.js';
import { stepValue } from './plan-value.js';

const planVersion = 1;

const planSchema = z.strictObject({
  plan: z.literal(planVersion),
  base_url: z.string(),
  /** IDs of API keys identify the organization, which the API does not name. */
  api_keys: z.array(z.string()),
  file_sha256: z.string(),
  prune: z.union([z.boolean(), z.string()]),
  set_secrets: z.boolean(),
  /** Compared as a whole. */
  changes: z.array(z.looseObject({ kind: z.string(), action: z.string(), name: z.string() })),
});

export interface SavedPlan extends z.infer<typeof planSchema> {
  /** How to make a new plan. */
  readonly renewal: Advice;
}

export interface PlanChoices {
  readonly prune: Prune;
  readonly setSecrets: boolean;
}

export function diffCommand(
  file: string,
  out: string,
  { prune, setSecrets }: PlanChoices,
): readonly string[] {
  return [
    ...['orgctl', 'diff', typedPath(file), '--out', typedPath(out)],
    ...(prune.kinds.size === 0 ? [] : [describePrune(prune)]),
    ...(setSecrets ? ['--set-secrets'] : []),
  ];
}

/** A path that is not mistaken for an option; for standard input, a placeholder. */
export function typedPath(path: string): string {
  if (path === '-') return 'FILE';
  return path.startsWith('-') ? `./${path}` : path;
}

/** @throws UsageError for stdout, and for an existing file that is not a plan */
export async function assertPlanPlace(out: string, { system, whileBusy }: Context): Promise<void> {
  const includes = (text: string) => 'data' in checkPlan(text, out);
  const kind = { what: 'a plan', maxBytes: maxFileBytes, includes };
  const problem =
    out === '-'
      ? 'a plan is written to a file, because stdout has the changes'
      : await whileBusy(() => whyKept(resolve(system.cwd(), out), kind));
  if (problem === undefined) return;
  throw new UsageError(`--out ${out}: ${problem}; nothing was written`, { hint: 'choose another path' });
}

/** Writes a plan, which has no secrets. @throws UsageError or ConfigError if the file cannot be written */
export async function writePlanFile(
  path: string,
  { file, plans, prune, setSecrets }: PlanChoices & { file: OrganizationFile; plans: readonly KindPlan[] },
  api: Api,
  context: Context,
): Promise<void> {
  const { baseUrl, credential } = await context.settings().service();
  const keys = (await readKind(apiKeys, api, context)).map(({ id }) => id);
  const plan: Record<keyof z.infer<typeof planSchema>, unknown> = {
    plan: planVersion,
    base_url: baseUrl.href,
    api_keys: keys.length === 0 ? [credential.keyId] : keys,
    file_sha256: file.sha256,
    prune: printPrune(prune),
    set_secrets: setSecrets,
    changes: stepsOf(plans),
  };
  const place = resolve(context.system.cwd(), path);
  const isReplaced = existsSync(place);
  try {
    await replaceFile(place, `${printJson(plan, 2)}\n`);
  } catch (error) {
    const what = `--out ${path}: ${describeFileError(error)}`;
    throw refuseWriting(what, { ...adviseWriting(error), cause: error });
  }
  if (isReplaced) await context.note(`replaced the existing ${path}`);
}

/** @param file the organization file, for hints @throws UsageError; ConfigError for a plan of another version */
export async function readPlanFile(
  path: string,
  file: string,
  { system, whileBusy }: Context,
): Promise<SavedPlan> {
  const bytes = await readInputFile(path, `--plan ${path}`, system.cwd(), maxFileBytes);
  const checked = await whileBusy(() => checkPlan(bytes.toString('utf8'), path));
  if ('misfit' in checked) {
    const advice = { hint: 'make one with orgctl diff --out' };
    if ('isOtherVersion' in checked)
      throw new ConfigError(`${path} was written by another version of orgctl (${checked.misfit})`, advice);
    throw new UsageError(`${path} is not a plan: ${checked.misfit}`, advice);
  }
  const { data: plan } = checked;
  const next = diffCommand(file, path, { prune: parsePrune(plan.prune), setSecrets: plan.set_secrets });
  return { ...plan, renewal: { hint: 'make a new plan', next } };
}

type CheckedPlan =
  | CheckedValue<z.infer<typeof planSchema>>
  | { readonly misfit: string; readonly isOtherVersion: true };

function checkPlan(text: string, path: string): CheckedPlan {
  const value = parseInputJson(text, path);
  if (!isResource(value) || !('plan' in value)) return { misfit: 'orgctl diff --out did not write it' };
  const version = value['plan'];
  if (version !== planVersion)
    return { misfit: `plan version ${printJson(version)}, not ${planVersion}`, isOtherVersion: true };
  return checkValue(planSchema, value);
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
    next: plan.renewal.next,
  });
}

const maxListed = 5;

/** @throws ServiceError `rejected` if the plan would be different now */
export function assertSameSteps(plan: SavedPlan, plans: readonly KindPlan[]): void {
  const now = stepsOf(plans);
  const [before, after] = [plan.changes, now].map((steps) => new Set(steps.map((step) => printJson(step))));
  const other = [...plan.changes, ...now].filter((step) => {
    const text = printJson(step);
    return !before?.has(text) || !after?.has(text);
  });
  const names = [...new Set(other.map(({ kind, name }) => `${toSingular(kind)} ${JSON.stringify(name)}`))];
  if (names.length === 0) return;
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  const verb = names.length === 1 ? 'has' : 'have';
  throw outOfDate(plan, `${names.slice(0, maxListed).join(', ')}${more} ${verb} changed`);
}

function outOfDate({ renewal }: SavedPlan, why: string): ServiceError {
  return new ServiceError('rejected', `the plan is out of date: ${why}; nothing was applied`, renewal);
}

function stepsOf(plans: readonly KindPlan[]) {
  return plans.flatMap(({ steps }) => steps.map(stepValue));
}
