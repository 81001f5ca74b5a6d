import { type Resource, toRowField } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { type BulkRow, runBulk } from '../bulk.js';
import { adviseIfUnwritten, adviseSeeing } from '../done-unwritten.js';
import { type AnswerContext, apiForChange, printAnswer } from '../print-answer.js';
import { type NamedResource, namedResources, orMissing, parseIdentifiers } from './named.js';
import { changeView, type ResourceCommand } from './resource-command.js';
import { assertRenamed, noteStoredNames } from './stored-name.js';

/** Applies one patch to resources (not in the API reference); prints one resource, or a row for each. */
export async function updateResources(
  { resource, view }: ResourceCommand,
  change: { readonly texts: readonly string[]; readonly patch: Readonly<Record<string, unknown>> },
  context: AnswerContext & Pick<Context, 'api' | 'signal' | 'progress' | 'note'>,
): Promise<void> {
  parseIdentifiers(resource, change.texts);
  const isOne = change.texts.length === 1;
  const api = await (isOne
    ? apiForChange(view, 'value', context)
    : apiForChange(changeView, 'list', context));
  const targets = await namedResources(resource, change.texts, api, context);
  const { name: sent } = change.patch;
  const all: Resource[] = [];
  const update = async (target: NamedResource): Promise<Resource> => {
    const changed: Resource = await orMissing(resource, target, (id) =>
      api[resource.property].update(id, change.patch),
    );
    assertRenamed(resource, changed, sent, { id: target.id, name: target.found?.['name'] });
    all.push(changed);
    return changed;
  };
  const note = () => noteStoredNames(all, sent, context);
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
  return runBulk(entries, { what, view: changeView }, context).finally(note);
}
