import type { Context } from '../../context.js';
import { type BulkRow, runBulk } from '../bulk.js';
import { type AnswerContext, apiForChange, printAnswer } from '../print-answer.js';
import { changeView, type Noun, parseIdentifiers } from './noun.js';

/**
 * Applies one patch to one resource or several [ours]. One is printed as the service returned it; of several there is
 * a row each, with the resource in it under the noun's name.
 */
export async function updateResources(
  { resource, view }: Noun,
  change: { readonly ids: readonly string[]; readonly patch: Readonly<Record<string, unknown>> },
  context: AnswerContext & Pick<Context, 'api' | 'signal' | 'progress'>,
): Promise<void> {
  const ids = parseIdentifiers(change.ids);
  const isOne = change.ids.length === 1;
  const api = await (isOne
    ? apiForChange(view, 'value', context)
    : apiForChange(changeView, 'list', context));
  const { update } = api[resource.property];
  const [id] = ids;
  if (isOne && id !== undefined) {
    const updated = await update(id, change.patch);
    return printAnswer(updated, view, context);
  }
  const entries = ids.map((id) => ({
    label: { id },
    run: async (): Promise<BulkRow> => ({
      result: 'updated',
      [resource.singular]: await update(id, change.patch),
    }),
  }));
  return runBulk(entries, { what: `changing ${resource.plural}`, view: changeView }, context);
}
