import { isResource, type Resource } from '../../api/resources/resource.js';
import { command } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ownCommand } from '../../cli/help-text.js';
import type { Define } from '../../cli/lazy-command.js';
import { isUnreadable, ResultError, readMessage } from '../../errors/errors.js';
import { cellValue, listEveryColumn } from '../../terminal/formats/columns.js';
import { openAttempts } from './bulk.js';
import { idsOrNames, type Noun } from './noun.js';
import { findTargets, onTarget, type Target } from './target.js';

export function getVerb(noun: Noun): Define {
  const { kind, plural } = noun.resource;
  return command({
    description: `Show one or more ${plural}. ${ownCommand}`,
    args: [idsOrNames(noun.resource)],
    examples: [[`orgctl ${kind} get ${noun.exampleName}`, 'every field, one per line']],
    calls: 'service',
    exits: ['partial'],
    run: (context, [texts]) => getResources(noun, texts, context),
  });
}

async function getResources(noun: Noun, texts: readonly string[], context: Context): Promise<void> {
  const { resource, view } = noun;
  const printer = await context.printer();
  printer.check(view);
  const targets = await findTargets(resource, texts, context);
  const read = await reader(noun, context);
  const [only] = targets;
  if (texts.length === 1 && only !== undefined) {
    const found = await read(only);
    if (context.flags().columns !== undefined) return printer.one(found, view);
    const every = listEveryColumn(view);
    const sent = every.filter((one) => view.columns.includes(one) || cellValue(found, one) !== undefined);
    return printer.one(found, { ...view, columns: sent, fields: [], block: true });
  }
  const problems: string[] = [];
  async function* readAll(): AsyncGenerator<Resource> {
    let at = 0;
    const attempt = await openAttempts(context);
    for await (const outcome of attempt(targets.map((target) => () => read(target)))) {
      const typed = targets[at++]?.typed;
      if (outcome.kind === 'done') yield outcome.result;
      else problems.push(`${typed}: ${'error' in outcome ? readMessage(outcome.error) : outcome.reason}`);
    }
  }
  await printer.list(readAll(), view);
  context.signal.throwIfAborted();
  if (problems.length === 0) return;
  const what = `${problems.length} of ${targets.length} ${resource.plural} not found or not readable`;
  throw new ResultError('partial', what, { problems });
}

/** Makes a function that reads a resource by its ID, unless the list has shown all of it. */
async function reader({ resource }: Noun, context: Context) {
  const { get } = (await context.api())[resource.property];
  const hasSettings = 'config' in resource.patch.def.shape;
  return async (target: Target): Promise<Resource> => {
    const { found } = target;
    // Some services' lists do not show settings.
    if (found !== undefined && (!hasSettings || isResource(found['config']))) return found;
    return onTarget<Resource>(resource, target, get).catch((error: unknown) => {
      // A service may show a resource only in its list.
      if (found !== undefined && isUnreadable(error)) return found;
      throw error;
    });
  };
}
