import { apiKeys, readSigningId } from '../api/resources/api-key.js';
import type { ResourceKind } from '../api/resources/index.js';
import type { Context } from '../cli/context.js';
import { findProfilesOf } from '../commands/api-keys/own-key.js';
import { describeService } from '../commands/resource/confirm.js';
import { UsageError } from '../errors/errors.js';
import { kindsOfFile, pruneAll } from './file.js';
import { countSteps, type KindPlan } from './plan.js';
import type { OrganizationFile } from './read-file.js';

export interface Prune {
  readonly kinds: ReadonlySet<ResourceKind>;
  readonly isUnlimited: boolean;
  readonly given: string | boolean;
}

const everyKind = kindsOfFile.map(({ kind }) => kind);

/** @param given true for all kinds, or kinds separated by commas; `all` among them confirms large deletions */
export function parsePrune(given: string | boolean = false): Prune {
  if (typeof given === 'boolean')
    return { kinds: new Set(given ? everyKind : []), isUnlimited: false, given };
  const words = given.split(',');
  const unknown = words.find((word) => word !== pruneAll && everyKind.every((kind) => kind !== word));
  if (unknown !== undefined)
    throw new UsageError(`--prune=${given}: "${unknown}" is not a kind`, {
      hint: `use --prune, --prune=all or --prune=KIND (kinds: ${everyKind.join(', ')})`,
    });
  const named = everyKind.filter((kind) => words.includes(kind));
  const kinds = new Set(named.length === 0 ? everyKind : named);
  return { kinds, isUnlimited: words.includes(pruneAll), given };
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

export async function confirmPrune(
  plans: readonly KindPlan[],
  { isUnlimited, given }: Prune,
  context: Context,
): Promise<void> {
  if (isUnlimited) return;
  for (const plan of plans) {
    const count = countSteps(plan, 'delete');
    if (count <= manyDeletions && count <= plan.total * largePart) continue;
    const service = await describeService(context.settings());
    const question = `Delete ${count} of ${plan.total} ${plan.resource.plural} on ${service}?`;
    const confirmed = given === true ? pruneAll : `${given},${pruneAll}`;
    const hint = `confirm with --prune=${confirmed}; --yes is not enough`;
    await (await context.prompt()).confirm(question, { hint, declined: 'nothing was changed' });
  }
}

export async function notePrunedProfiles(plans: readonly KindPlan[], context: Context): Promise<void> {
  const keyIds = plans.flatMap(({ resource, steps }) =>
    resource.kind !== apiKeys.kind
      ? []
      : steps.flatMap(({ value: { action }, existing }) =>
          action === 'delete' && existing !== undefined ? [readSigningId(existing) ?? existing.id] : [],
        ),
  );
  if (keyIds.length === 0) return;
  const { origin } = (await context.settings().service()).baseUrl;
  const names = await findProfilesOf({ baseUrl: origin, keyIds }, context);
  if (names.length > 0) await context.note(`profiles that will stop working: ${names.join(', ')}`);
}
