import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { whyKept } from '../../platform/regular-file.js';
import { maxFileBytes } from '../declaration/organization-file.js';
import { describePrune, type Prune } from '../plan/prune.js';
import { checkPlan } from './plan-schema.js';

/** A path that is not mistaken for an option; for standard input, a placeholder. */
export function typedPath(path: string): string {
  if (path === '-') return 'FILE';
  return path.startsWith('-') ? `./${path}` : path;
}

export function diffCommand(
  file: string,
  out: string,
  { prune, setSecrets }: PlanFileOptions,
): readonly string[] {
  return [
    ...['orgctl', 'diff', typedPath(file), '--out', typedPath(out)],
    ...(prune.kinds.size === 0 ? [] : [describePrune(prune)]),
    ...(setSecrets ? ['--set-secrets'] : []),
  ];
}

export interface PlanFileOptions {
  readonly prune: Prune;
  readonly setSecrets: boolean;
}

/** A path for a new plan that no file has. */
export function freePlanPath(system: Context['system']): string {
  let path = 'plan.json';
  for (let next = 2; existsSync(resolve(system.cwd(), path)); next += 1) path = `plan-${next}.json`;
  return path;
}

const planKind = {
  what: 'a plan',
  maxBytes: maxFileBytes,
  includes: (text: string) => 'data' in checkPlan(text, 'file'),
};

/** @throws UsageError if `out` is stdout, the organization file (even under another path), or a file that is not a plan */
export async function assertPlanPlace(
  file: string,
  out: string,
  options: PlanFileOptions,
  { system, whileBusy }: Pick<Context, 'system' | 'whileBusy'>,
): Promise<void> {
  const place = resolve(system.cwd(), out);
  const problem =
    out === '-'
      ? 'a plan is written to a file, because stdout has the changes'
      : (await isSameFile(file === '-' ? undefined : resolve(system.cwd(), file), place))
        ? 'this is the organization file'
        : await whileBusy(() => whyKept(place, planKind));
  if (problem === undefined) return;
  throw new UsageError(`--out ${out}: ${problem}; nothing was written`, {
    next: diffCommand(file, freePlanPath(system), options),
  });
}

async function isSameFile(path: string | undefined, otherPath: string): Promise<boolean> {
  const identify = (file: string) => stat(file, { bigint: true }).catch(() => undefined);
  const [one, other] = [path === undefined ? undefined : await identify(path), await identify(otherPath)];
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
