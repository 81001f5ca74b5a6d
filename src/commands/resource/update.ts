import type { ResourceApi } from '../../client/api.js';
import type { Context } from '../../context.js';
import { type BulkRow, runBulk } from '../bulk.js';
import { type AnswerContext, printAnswer } from '../print-answer.js';
import { parseIdentifiers } from './identifier.js';
import type { Noun } from './noun.js';
import { changeView } from './view.js';

/**
 * Applies one patch to one resource or several [ours]. One is printed as the service returned it; of several there is
 * a row each, with the resource in it under the noun's name.
 */
export async function updateResources(
  noun: Pick<Noun, 'singular' | 'plural' | 'view'>,
  api: Pick<ResourceApi, 'update'>,
  change: { readonly ids: readonly string[]; readonly patch: Readonly<Record<string, unknown>> },
  context: AnswerContext & Pick<Context, 'signal' | 'progress'>,
): Promise<void> {
  const ids = parseIdentifiers(change.ids);
  const isOne = change.ids.length === 1;
  (await context.printer()).check(isOne ? noun.view : changeView, isOne ? 'value' : 'list');
  const [id] = ids;
  if (isOne && id !== undefined) {
    const updated = await api.update(id, change.patch);
    return printAnswer(updated, noun.view, context);
  }
  const entries = ids.map((id) => ({
    label: { id },
    run: async (): Promise<BulkRow> => ({
      result: 'updated',
      [noun.singular]: await api.update(id, change.patch),
    }),
  }));
  return runBulk(entries, { what: `changing ${noun.plural}`, view: changeView }, context);
}
