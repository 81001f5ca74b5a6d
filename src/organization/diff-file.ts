import type { Context } from '../cli/context.js';
import { ResultError } from '../errors/errors.js';
import { assertReplaceable } from './own-file.js';
import { makePlan, planValue } from './plan.js';
import { planFile, writePlanFile } from './plan-file.js';
import { quotaNeeds, shortages } from './quota.js';
import { readOrganizationFile } from './read-file.js';
import { planRows, planView, summarizePlan } from './show.js';

interface DiffOptions {
  readonly exitCode?: boolean | undefined;
  readonly out?: string | undefined;
  readonly setSecrets?: boolean | undefined;
  readonly prune?: string | boolean | undefined;
}

/** @throws ResultError `changes` with `--exit-code`, if anything would change */
export async function diffFile(path: string, options: DiffOptions, context: Context): Promise<void> {
  const { out, prune = false, setSecrets = false, exitCode = false } = options;
  const printer = await context.printer();
  printer.check(planView);
  const file = await readOrganizationFile(path, context);
  if (out !== undefined) await assertReplaceable(planFile(out), context);
  const plans = await makePlan(file, { prune: prune !== false, setSecrets }, context);
  const short = shortages(await quotaNeeds(plans, await context.api()));
  if (out !== undefined) {
    const choices = { prune, set_secrets: setSecrets };
    await writePlanFile(out, choices, plans, file, context);
  }
  await printer.value(planValue(plans, file), planRows(plans, file), planView);
  for (const shortage of short) await printer.warn(`${shortage}; apply would refuse`);
  const summary = summarizePlan(plans);
  if (!exitCode || plans.every(({ steps }) => steps.length === 0)) return context.note(summary);
  const flags = [
    ...(prune === false ? [] : [prune === true ? '--prune' : `--prune=${prune}`]),
    ...(setSecrets ? ['--set-secrets'] : []),
  ];
  const command = ['orgctl', 'apply', path === '-' ? 'FILE' : path];
  const next = [...command, ...(out === undefined ? flags : ['--plan', out])];
  throw new ResultError('changes', summary, short.length === 0 ? { next } : {});
}
