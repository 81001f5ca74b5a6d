import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { notInReference, withExamples } from '../help-text.js';
import type { Noun } from './noun.js';

/** The verb `get` of a resource [ours]: one object for one ID, a list for several. */
export function getVerb(noun: Noun) {
  return (command: Command, context: Context, run = getResources): void => {
    withExamples(
      command
        .description(`Show one ${noun.singular} or several ${notInReference}.`)
        .argument('<id...>', `ID of a ${noun.singular}`),
      [[`orgctl ${noun.command} get ${noun.exampleId} -o json`, 'everything the service tells of it']],
    ).action((ids) => run(noun, ids, context));
  };
}

export async function getResources(
  noun: Pick<Noun, 'api' | 'view'>,
  ids: readonly string[],
  context: Pick<Context, 'api' | 'printer'>,
): Promise<void> {
  const printer = await context.printer();
  const { get } = noun.api(await context.api());
  const [id] = ids;
  if (ids.length > 1 || id === undefined) return printer.list(inOrder(ids, get), noun.view);
  const found = await get(id);
  return printer.value(found, [found], noun.view);
}

async function* inOrder<Found>(ids: readonly string[], get: (id: string) => Promise<Found>) {
  for (const id of ids) yield await get(id);
}
