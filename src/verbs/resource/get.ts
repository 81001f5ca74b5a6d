import type { Command } from '@commander-js/extra-typings';
import type { DeclaredResource } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { ownCommand, withExamples } from '../../cli/help-text.js';
import type { Api } from '../../client/api.js';
import { isUnreadable, isUnserved, ResultError, readMessage } from '../../errors/errors.js';
import { listEveryColumn } from '../../terminal/formats/columns.js';
import { omitUnsent } from '../../terminal/output/further-columns.js';
import { type AttemptOutcome, attemptAll } from '../attempts.js';
import { missingError, orMissing } from './missing.js';
import { type NamedResource, namedResources, parseIdentifiers } from './named.js';
import type { ResourceCommand } from './resource-command.js';

/** Defines `get`: prints one object for one ID or name, a list for several. */
export function getVerb({ resource, exampleName, view }: ResourceCommand) {
  return (command: Command, context: Context): void => {
    withExamples(
      command
        .description(`Show one or more ${resource.plural}. ${ownCommand}`)
        .argument('<id-or-name...>', `ID or exact name of the ${resource.singular}`),
      [
        [`orgctl ${resource.kind} get ${exampleName} -o json`, 'everything the service returns'],
        [`orgctl ${resource.kind} get app`, 'by name'],
      ],
      { calls: 'service', exits: ['partial'] },
    ).action((texts) => getResources({ resource, view }, texts, context));
  };
}

async function getResources(
  { resource, view }: Pick<ResourceCommand, 'resource' | 'view'>,
  texts: readonly string[],
  context: Pick<Context, 'api' | 'printer' | 'signal' | 'note' | 'progress' | 'flags'>,
): Promise<void> {
  parseIdentifiers(resource, texts);
  const printer = await context.printer();
  printer.check(view, texts.length === 1 ? 'value' : 'list');
  const api = await context.api();
  const targets = await namedResources(resource, texts, api, context);
  const read = readOrFindListed(resource, api, context);
  const [only] = targets;
  if (texts.length === 1 && only !== undefined) {
    const isRow = context.flags().columns !== undefined;
    const found = await read(only);
    const sent = omitUnsent([found], view);
    const whole = { ...sent, columns: listEveryColumn(sent), block: true } as const;
    return printer.one(found, isRow ? view : whole);
  }
  const problems: string[] = [];
  const outcomes = attemptAll(targets.map((target) => () => read(target)));
  await printer.list(takeFound(outcomes, targets, problems), view);
  context.signal.throwIfAborted();
  if (problems.length === 0) return undefined;
  throw new ResultError(
    'partial',
    `${problems.length} of ${targets.length} ${resource.plural} not found or not readable`,
    { problems },
  );
}

/** Reads resources like `orMissing`. Returns the listed record of one that the service lists, but does not show by ID. */
function readOrFindListed(resource: DeclaredResource, api: Api, { note }: Pick<Context, 'note'>) {
  const { get, lookInList } = api[resource.property];
  let isNoted = false;
  return async (target: NamedResource): Promise<Resource> => {
    try {
      return await orMissing(resource, target, get);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      const { item, isWhole } = await lookInList(target.id);
      const listed = target.found ?? item;
      if (listed === undefined)
        throw isWhole && isUnserved(error) ? missingError(resource, target, error) : error;
      const isFirst = !isNoted;
      isNoted = true;
      if (isFirst) await note(`${readMessage(error)}; showing what the list of ${resource.plural} has`);
      return listed;
    }
  };
}

async function* takeFound(
  outcomes: AsyncIterable<AttemptOutcome<Resource>>,
  targets: readonly NamedResource[],
  problems: string[],
): AsyncGenerator<Resource> {
  let at = 0;
  for await (const outcome of outcomes) {
    const typed = targets[at++]?.typed;
    if (outcome.kind === 'done') yield outcome.result;
    else
      problems.push(
        `${typed}: ${outcome.kind === 'not tried' ? outcome.reason : readMessage(outcome.error)}`,
      );
  }
}
