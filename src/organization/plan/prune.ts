import { apiKeys, readSigningId } from '../../api/resources/api-key.js';
import type { ResourceKind } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import { findProfilesOf } from '../../commands/api-keys/own-key.js';
import { describeService } from '../../commands/resource/confirm.js';
import { UsageError } from '../../errors/errors.js';
import { kindsOfFile, pruneAll } from '../declaration/organization-file.js';
import type { OrganizationFile } from '../read/file-entry.js';
import type { KindPlan } from './plan.js';

export interface Prune {
  readonly kinds: ReadonlySet<ResourceKind>;
  readonly isUnlimited: boolean;
}

const everyKind = kindsOfFile.map(({ kind }) => kind);

/** @param value true for all kinds, or kinds separated by commas; `all` among them confirms large deletions */
export function parsePrune(value: string | boolean | undefined): Prune {
  if (value === undefined || typeof value === 'boolean') {
    return { kinds: new Set(value === true ? everyKind : []), isUnlimited: false };
  }
  const words = value.split(',');
  const named = everyKind.filter((kind) => words.includes(kind));
  const unknown = words.find((word) => word !== pruneAll && everyKind.every((kind) => kind !== word));
  if (unknown === undefined) {
    return {
      kinds: new Set(named.length === 0 ? everyKind : named),
      isUnlimited: words.includes(pruneAll),
    };
  }
  throw new UsageError(`--prune=${value}: "${unknown}" is not a kind`, {
    hint: `use --prune, --prune=all or --prune=KIND (kinds: ${everyKind.join(', ')})`,
  });
}

export function printPrune({ kinds, isUnlimited }: Prune): string | boolean {
  const words = [...(kinds.size < everyKind.length ? kinds : []), ...(isUnlimited ? [pruneAll] : [])];
  return words.length === 0 ? kinds.size > 0 : words.join(',');
}

export function describePrune(prune: Prune): string {
  const printed = printPrune(prune);
  if (printed === false) return 'no --prune';
  return printed === true ? '--prune' : `--prune=${printed}`;
}

/** Whether both delete from the same kinds. Ignores `isUnlimited`. */
export function prunesSameKinds(one: Prune, other: Prune): boolean {
  return one.kinds.size === other.kinds.size && [...one.kinds].every((kind) => other.kinds.has(kind));
}

/** @throws UsageError if --prune names a kind that the file lacks */
export function assertPruned({ kinds }: Prune, file: OrganizationFile): void {
  if (kinds.size === everyKind.length) return;
  const inFile = new Set([...file.kinds.keys()].map(({ kind }) => kind));
  const other = [...kinds].find((kind) => !inFile.has(kind));
  if (other === undefined) return;
  throw new UsageError(`--prune=${other}: the file has no ${other}, so nothing would be deleted`, {
    hint: `to delete all of them, write "${other}: []" into the file`,
  });
}

/** More deletions of a kind than this number, or than `largePart` of the kind, need another confirmation. */
const manyDeletions = 10;
const largePart = 0.3;

/** Asks about each kind with many deletions. */
export async function confirmPrune(
  plans: readonly KindPlan[],
  prune: Prune,
  context: Context,
): Promise<void> {
  for (const { resource, count, total } of listLargeDeletions(plans, prune)) {
    const service = await describeService(context.settings());
    const question = `Delete ${count} of ${total} ${resource.plural} on ${service}?`;
    const hint = `confirm with ${describePrune(withoutLimit(prune))}; --yes is not enough`;
    await (await context.prompt()).confirm(question, { hint, declined: 'nothing was changed' });
  }
}

/** Notes which stored profiles use a key that the plan deletes. */
export async function notePrunedProfiles(plans: readonly KindPlan[], context: Context): Promise<void> {
  const keys = plans
    .filter(({ resource }) => resource.kind === apiKeys.kind)
    .flatMap(({ steps }) => steps.flatMap((step) => (step.action === 'delete' ? [step.existing] : [])));
  if (keys.length === 0) return;
  const { origin } = (await context.settings().service()).baseUrl;
  const keyIds = keys.map((key) => readSigningId(key) ?? key.id);
  const names = await findProfilesOf({ baseUrl: origin, keyIds }, context);
  if (names.length > 0) await context.note(`profiles that will stop working: ${names.join(', ')}`);
}

/** The same choice, with large deletions confirmed. */
export function withoutLimit(prune: Prune): Prune {
  return { ...prune, isUnlimited: true };
}

export function listLargeDeletions(plans: readonly KindPlan[], prune: Prune) {
  if (prune.isUnlimited) return [];
  return plans.flatMap(({ resource, steps, existing: { length: total } }) => {
    const count = steps.filter(({ action }) => action === 'delete').length;
    return count <= manyDeletions && count <= total * largePart ? [] : [{ resource, count, total }];
  });
}
