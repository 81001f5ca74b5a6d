import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import type { Resource } from '../../contract/resource.js';
import { messageOf, ResultError } from '../../errors.js';
import { attemptAll, type Outcome } from '../attempts.js';
import { notInReference, withExamples } from '../help-text.js';
import { type Noun, parseIdentifiers } from './noun.js';

/** The verb `get` of a resource [ours]: one object for one ID, a list for several. */
export function getVerb({ resource, exampleId, view }: Noun) {
  return (command: Command, context: Context): void => {
    withExamples(
      command
        .description(`Show one ${resource.singular} or several ${notInReference}.`)
        .argument('<id...>', `${resource.singular} ID`),
      [[`orgctl ${resource.kind} get ${exampleId} -o json`, 'everything the service tells of it']],
    ).action((ids) => getResources({ resource, view }, ids, context));
  };
}

async function getResources(
  { resource, view }: Pick<Noun, 'resource' | 'view'>,
  texts: readonly string[],
  context: Pick<Context, 'api' | 'printer' | 'signal'>,
): Promise<void> {
  const ids = parseIdentifiers(texts);
  const printer = await context.printer();
  const { get } = (await context.api())[resource.property];
  const [id] = ids;
  if (texts.length === 1 && id !== undefined) {
    const found = await get(id);
    return printer.one(found, view);
  }
  const problems: string[] = [];
  const tasks = ids.map((id) => () => get(id));
  const outcomes = attemptAll(tasks);
  await printer.list(found(outcomes, ids, problems), view);
  context.signal.throwIfAborted();
  if (problems.length === 0) return undefined;
  throw new ResultError('partial', `${problems.length} of ${ids.length} ${resource.plural} cannot be shown`, {
    problems,
  });
}

/** Those that were found, in the order of their IDs; what is to be said of the others goes to `problems`. */
async function* found(
  outcomes: AsyncIterable<Outcome<Resource>>,
  ids: readonly string[],
  problems: string[],
): AsyncGenerator<Resource> {
  let at = 0;
  for await (const outcome of outcomes) {
    const id = ids[at++];
    if (outcome.kind === 'done') yield outcome.result;
    else problems.push(`${id}: ${outcome.kind === 'not tried' ? outcome.reason : messageOf(outcome.error)}`);
  }
}
