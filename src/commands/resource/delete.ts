import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { runBulk } from '../bulk.js';
import { notInReference, withExamples } from '../help-text.js';
import { parseIdentifiers } from './identifier.js';
import type { Noun } from './noun.js';
import { changeView } from './view.js';

export interface DeleteOptions {
  readonly yes?: boolean | undefined;
}

/** The verb `delete` of a resource [ours]: asks on a terminal, and needs `--yes` elsewhere. */
export function deleteVerb(noun: Noun) {
  return (command: Command, context: Context, run = deleteResources): void => {
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
    ).action((ids, options) => run(noun, ids, options, context));
  };
}

async function deleteResources(
  noun: Pick<Noun, 'api' | 'singular' | 'plural'>,
  texts: readonly string[],
  options: DeleteOptions,
  context: Pick<Context, 'api' | 'printer' | 'prompt' | 'signal' | 'progress'>,
): Promise<void> {
  const ids = parseIdentifiers(texts);
  const printer = await context.printer();
  // Before the question: nobody should answer one for a command that cannot work.
  const api = noun.api(await context.api());
  if (!options.yes) await confirm(noun, ids, context);
  const remove = async (id: string) => {
    await api.delete(id);
    return { result: 'deleted' };
  };
  const [id] = ids;
  if (texts.length === 1 && id !== undefined) {
    const row = { id, ...(await remove(id)) };
    return printer.value(row, [row], changeView);
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
