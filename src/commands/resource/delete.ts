import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { type DeclaredResource, hasQuota } from '../../contract/resources/index.js';
import { runBulk } from '../bulk.js';
import { notInReference, withExamples } from '../help-text.js';
import { type AnswerContext, apiForChange, printAnswer } from '../print-answer.js';
import { changeView, type Noun, parseIdentifiers } from './noun.js';

interface DeleteOptions {
  readonly yes?: boolean | undefined;
  readonly [option: string]: string | boolean | undefined;
}

type DeleteContext = AnswerContext &
  Pick<Context, 'api' | 'prompt' | 'settings' | 'note' | 'signal' | 'progress'>;

/** A question that some of the resources need beside the usual one, and the option that answers it. */
export interface DeleteGuard {
  readonly option: readonly [flags: string, description: string];
  /** Returns whether it asked. @throws UsageError when the answer was no */
  readonly confirm: (
    ids: readonly string[],
    options: DeleteOptions,
    context: DeleteContext,
  ) => Promise<boolean>;
}

/** The verb `delete` of a resource [ours]: asks on a terminal, and needs `--yes` elsewhere. */
export function deleteVerb({ resource, exampleId }: Noun, guard?: DeleteGuard) {
  const { kind, singular } = resource;
  const freed = hasQuota(resource) ? ' Their places in the quota are free again.' : '';
  return (command: Command, context: Context): void => {
    withExamples(
      command
        .description(`Delete one ${singular} or several ${notInReference}.${freed}`)
        .argument('<id...>', `${singular} ID`)
        .option('-y, --yes', 'do not ask'),
      [
        [`orgctl ${kind} delete ${exampleId}`, 'asks first'],
        [`orgctl ${kind} delete ${exampleId} --yes`, 'in a script'],
      ],
    ).action((ids, options) => deleteResources(resource, ids, options, context, guard));
    if (guard !== undefined) command.option(...guard.option);
  };
}

async function deleteResources(
  resource: DeclaredResource,
  texts: readonly string[],
  options: DeleteOptions,
  context: DeleteContext,
  guard?: DeleteGuard,
): Promise<void> {
  const ids = parseIdentifiers(texts);
  // Before the question: nobody should answer one for a command that cannot work.
  const api = await apiForChange(changeView, texts.length === 1 ? 'value' : 'list', context);
  const asked = await guard?.confirm(ids, options, context);
  const isSure =
    options.yes === true || (asked && ids.length === 1) || (await confirm(resource, ids, context));
  if (!isSure) return context.note('nothing was deleted');
  const remove = async (id: string) => {
    await api[resource.property].delete(id);
    return { result: 'deleted' };
  };
  const [id] = ids;
  if (texts.length === 1 && id !== undefined) {
    const row = { id, ...(await remove(id)) };
    return printAnswer(row, changeView, context);
  }
  const entries = ids.map((id) => ({ label: { id }, run: () => remove(id) }));
  return runBulk(entries, { what: `deleting ${resource.plural}`, view: changeView }, context);
}

async function confirm(
  { singular, plural }: DeclaredResource,
  ids: readonly string[],
  context: Pick<Context, 'prompt'>,
): Promise<boolean> {
  const what = ids.length === 1 ? `${singular} ${ids[0]}` : `${ids.length} ${plural}`;
  const prompt = await context.prompt();
  return prompt.confirm(`Delete ${what}?`, { hint: 'without a terminal to ask on, pass --yes' });
}
