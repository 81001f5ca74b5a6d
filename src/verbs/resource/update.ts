import type { DeclaredResource } from '../../api/resources/index.js';
import { isResource, type Resource, toRowField } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import { type BulkRow, runBulk } from '../bulk.js';
import { confirmOnTerminal } from '../confirm-change.js';
import { adviseIfUnwritten, adviseSeeing } from '../done-unwritten.js';
import { type AnswerContext, apiForChange, printAnswer } from '../print-answer.js';
import { orMissing } from './missing.js';
import { type NamedResource, namedResources, parseIdentifiers, requireWholeIds } from './named.js';
import { requireName } from './required-name.js';
import { changeView, type ResourceCommand } from './resource-command.js';
import { SettingsChanges, unlessService, withShown } from './settings-changes.js';
import { assertRenamed, noteStoredNames } from './stored-name.js';

type UpdateContext = AnswerContext &
  Pick<Context, 'api' | 'prompt' | 'settings' | 'signal' | 'progress' | 'note'>;

/** Patches resources. Prints one resource whole, several as rows. @throws UsageError if several would get one name */
export async function updateResources(
  { resource, view }: ResourceCommand,
  change: { readonly texts: readonly string[]; readonly patch: Readonly<Record<string, unknown>> },
  context: UpdateContext,
): Promise<void> {
  const typed = parseIdentifiers(resource, change.texts);
  if (typeof change.patch['name'] === 'string') requireName(change.patch['name']);
  if (change.patch['name'] !== undefined && typed.length > 1) {
    throw new UsageError(`--name gives ${typed.length} ${resource.plural} the same name`, {
      hint: 'rename one at a time',
    });
  }
  const isOne = change.texts.length === 1;
  const api = await (isOne
    ? apiForChange(view, 'value', context)
    : apiForChange(changeView, 'list', context));
  const targets = await namedResources(resource, change.texts, api, context);
  await confirmCutIds(resource, targets, context);
  const settings = new SettingsChanges();
  const { get, lookInList, update: patchOne } = api[resource.property];
  const { patch } = change;
  const findInList = async (id: string) => (await lookInList(id)).item;
  const all: Resource[] = [];
  const hasSettings = 'config' in resource.patch.def.shape;
  // The former values reveal whether the service ignored the new name, stored it in another form, or dropped settings.
  const readFormer = async ({ id, found, isAbsent }: NamedResource): Promise<Resource> => {
    // Some services' lists do not show settings.
    const isShown = hasSettings ? isResource(found?.['config']) : found !== undefined;
    const isNeeded = !isAbsent && !isShown && (hasSettings || patch['name'] !== undefined);
    const read = isNeeded ? ((await get(id).catch(unlessService)) ?? (await findInList(id))) : undefined;
    return withShown(found ?? {}, read ?? {});
  };
  const update = async (target: NamedResource): Promise<Resource> => {
    const before = await readFormer(target);
    const change = (id: string) =>
      settings.run({
        ...{ before, patch, update: () => patchOne(id, patch) },
        ...{ get: () => get(id), findInList: () => findInList(id) },
      });
    const changed = await orMissing<Resource>(resource, target, change, get);
    assertRenamed(resource, changed, patch['name'], { id: target.id, name: before['name'] });
    all.push(changed);
    return changed;
  };
  const note = () => noteStoredNames(all, patch['name'], context);
  const [only] = targets;
  if (isOne && only !== undefined) {
    const changed = await update(only);
    const advice = adviseSeeing(resource, { id: only.id }, 'changed');
    await adviseIfUnwritten(printAnswer(changed, view, context), advice);
    return note();
  }
  const entries = targets.map((target) => ({
    label: { id: target.id },
    run: async (): Promise<BulkRow> => ({
      result: 'updated',
      [toRowField(resource)]: await update(target),
    }),
  }));
  const what = `changing ${resource.plural}`;
  return runBulk(entries, { what, noun: resource, view: changeView }, context).finally(note);
}

/** Asks about resources given by the beginning of an ID; without a terminal, refuses one that may be another's ID. */
async function confirmCutIds(
  resource: DeclaredResource,
  targets: readonly NamedResource[],
  context: UpdateContext,
): Promise<void> {
  const cut = targets.filter(({ isCut }) => isCut);
  if (cut.length === 0) return;
  if (!canAsk(context)) requireWholeIds(resource, cut.filter(isNumbered), 'changed');
  const { singular, plural } = resource;
  const ids = cut.map(({ id }) => id).join(', ');
  const what = cut.length === 1 ? `${singular} ${ids}` : `${plural} ${ids}`;
  await confirmOnTerminal({ change: `Change ${what}` }, 'nothing was changed', context);
}

/** Numbers grow, so the beginning of one may be the ID of a deleted resource. Other IDs of a kind have one length. */
function isNumbered({ id }: NamedResource): boolean {
  return /_\d+$/.test(id);
}
