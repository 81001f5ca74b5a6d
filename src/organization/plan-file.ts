import { apiKeys } from '../api/resources/api-key.js';
import { toSingular } from '../api/resources/index.js';
import { checkValue, z } from '../api/schema/schema.js';
import type { Context } from '../cli/context.js';
import { ConfigError, ServiceError, UsageError } from '../errors/errors.js';
import { readInputFile } from '../input/document-file.js';
import { parseInputJson } from '../input/json-text.js';
import { printJson } from '../text/exact-json.js';
import { maxFileBytes } from './file.js';
import { type OwnFile, writeOwnFile } from './own-file.js';
import { type KindPlan, valuesOf } from './plan.js';
import type { OrganizationFile } from './read-file.js';
import { readKind } from './read-service.js';

const planSchema = z.strictObject({
  plan: z.literal(1),
  base_url: z.string(),
  /** IDs of API keys identify the organization, which the API does not name. */
  api_keys: z.array(z.string()),
  file_sha256: z.string(),
  prune: z.union([z.boolean(), z.string()]),
  set_secrets: z.boolean(),
  /** The steps; `assertSameSteps` compares every field. */
  changes: z.array(z.looseObject({ kind: z.string(), action: z.string(), name: z.string() })),
});

export type SavedPlan = z.infer<typeof planSchema>;

export function planFile(path: string): OwnFile {
  const isOwn = (value: unknown) => planSchema.safeParse(value).success;
  return { path, named: `--out ${path}`, what: 'a plan', isOwn };
}

export async function writePlanFile(
  path: string,
  choices: Pick<SavedPlan, 'prune' | 'set_secrets'>,
  plans: readonly KindPlan[],
  file: OrganizationFile,
  context: Context,
): Promise<void> {
  const { baseUrl, credential } = await context.settings().service();
  const keys = (await readKind(apiKeys, context)).map(({ id }) => id);
  const plan: SavedPlan = {
    plan: 1,
    base_url: baseUrl.href,
    api_keys: keys.length === 0 ? [credential.keyId] : keys,
    file_sha256: file.sha256,
    ...choices,
    changes: valuesOf(plans).map((value) => ({ ...value })),
  };
  await writeOwnFile(planFile(path), `${printJson(plan, 2)}\n`, context);
}

export const newPlan = { hint: 'make a new plan with orgctl diff --out' };

/** @throws UsageError for a file that is not a plan */
export async function readPlanFile(path: string, { system }: Context): Promise<SavedPlan> {
  const bytes = await readInputFile(path, `--plan ${path}`, system.cwd(), maxFileBytes);
  const checked = checkValue(planSchema, parseInputJson(bytes.toString('utf8'), path));
  if ('data' in checked) return checked.data;
  throw new UsageError(`${path} is not a plan: ${checked.misfit}`, newPlan);
}

const otherPlace = { hint: 'use the profile that made the plan: --profile NAME' };

/** @throws ConfigError for another service or organization; ServiceError `rejected` for a changed file */
export async function assertSamePlace(
  plan: SavedPlan,
  file: OrganizationFile,
  context: Context,
): Promise<void> {
  const { baseUrl, credential } = await context.settings().service();
  if (plan.base_url !== baseUrl.href)
    throw new ConfigError(`the plan is for ${plan.base_url}, but this is ${baseUrl.href}`, otherPlace);
  if (plan.file_sha256 !== file.sha256) throw outOfDate('the file has changed');
  const known = new Set(plan.api_keys);
  if (known.has(credential.keyId)) return;
  // Keys may have changed meanwhile, but in the same organization at least one of the plan's should still exist.
  if ((await readKind(apiKeys, context)).some(({ id }) => known.has(id))) return;
  const what = 'the plan may be for another organization: none of its API keys exist in this one';
  throw new ConfigError(what, otherPlace);
}

/** @throws ServiceError `rejected` if the plan would be different now */
export function assertSameSteps(plan: SavedPlan, plans: readonly KindPlan[]): void {
  const byText = (steps: readonly { readonly kind: string; readonly name: string }[]) =>
    new Map(steps.map((step) => [printJson(step), step]));
  const [before, now] = [byText(plan.changes), byText(valuesOf(plans))];
  const other = [...before, ...now].filter(([text]) => !before.has(text) || !now.has(text));
  const names = other.map(([, { kind, name }]) => `${toSingular(kind)} ${JSON.stringify(name)}`);
  if (names.length > 0) throw outOfDate(`changed since: ${[...new Set(names)].join(', ')}`);
}

function outOfDate(why: string): ServiceError {
  return new ServiceError('rejected', `the plan is out of date: ${why}; nothing was applied`, newPlan);
}
