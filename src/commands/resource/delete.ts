import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { runBulk } from '../bulk.js';
import { notInReference, withExamples } from '../help-text.js';
import { type AnswerContext, printAnswer } from '../print-answer.js';
import { parseIdentifiers } from './identifier.js';
import type { Noun } from './noun.js';
import { changeView } from './view.js';

interface DeleteOptions {
  readonly yes?: boolean | undefined;
  readonly [option: string]: string | boolean | undefined;
}

type DeleteContext = AnswerContext &
  Pick<Context, 'api' | 'prompt' | 'settings' | 'note' | 'signal' | 'progress'>;

/** A question that some of the resources need beside the usual one, and the option that answers it. */
interface DeleteGuard {
  readonly option: readonly [flags: string, description: string];
  /** Returns whether it asked. @throws UsageError when the answer was no */
  readonly confirm: (
    ids: readonly string[],
    options: DeleteOptions,
    context: DeleteContext,
  ) => Promise<boolean>;
}

/** The verb `delete` of a resource [ours]: asks on a terminal, and needs `--yes` elsewhere. */
export function deleteVerb(noun: Noun, guard?: DeleteGuard) {
  return (command: Command, context: Context): void => {
    withExamples(
      command
        .description(
          `Delete one ${noun.singular} or several ${notInReference}. Their places in the quota are free again.`,
        )
        .argument('<id...>', `${noun.singular} ID`)
        .option('-y, --yes', 'do not ask'),
      [
        [`orgctl ${noun.command} delete ${noun.exampleId}`, 'asks first'],
        [`orgctl ${noun.command} delete ${noun.exampleId} --yes`, 'in a script'],
      ],
    ).action((ids, options) => deleteResources(noun, ids, options, context, guard));
    if (guard !== undefined) command.option(...guard.option);
  };
}

async function deleteResources(
  noun: Pick<Noun, 'api' | 'singular' | 'plural'>,
  texts: readonly string[],
  options: DeleteOptions,
  context: DeleteContext,
  guard?: DeleteGuard,
): Promise<void> {
  const ids = parseIdentifiers(texts);
  (await context.printer()).check(changeView, texts.length === 1 ? 'value' : 'list');
  // Before the question: nobody should answer one for a command that cannot work.
  const api = noun.api(await context.api());
  const asked = await guard?.confirm(ids, options, context);
  if (!options.yes && !(asked && ids.length === 1)) await confirm(noun, ids, context);
  const remove = async (id: string) => {
    await api.delete(id);
    return { result: 'deleted' };
  };
  const [id] = ids;
  if (texts.length === 1 && id !== undefined) {
    const row = { id, ...(await remove(id)) };
    return printAnswer(row, changeView, context);
  }
  const entries = ids.map((id) => ({ label: { id }, run: () => remove(id) }));
  return runBulk(entries, { what: `deleting ${noun.plural}`, view: changeView }, context);
}

async function confirm(
  noun: Pick<Noun, 'singular' | 'plural'>,
  ids: readonly string[],
  context: Pick<Context, 'prompt'>,
): Promise<void> {
  const what = ids.length === 1 ? `${noun.singular} ${ids[0]}` : `${ids.length} ${noun.plural}`;
  const prompt = await context.prompt();
  const sure = await prompt.confirm(`Delete ${what}?`, { hint: 'without a terminal to ask on, pass --yes' });
  if (!sure) throw new UsageError('nothing was deleted', { hint: 'answer y, or pass --yes' });
}
