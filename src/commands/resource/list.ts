import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { pageSize } from '../../contract/envelope.js';
import { notInReference, withExamples } from '../help-text.js';
import { allPages, type ListOptions, onePage, pageRequest } from '../pages.js';
import type { Noun } from './noun.js';

/** The verb `list` of a resource: `GET` of its collection. */
export function listVerb({ resource, view }: Noun) {
  const { kind, plural, calls } = resource;
  const ours = calls.list === 'ref' ? '' : ` ${notInReference}`;
  return (command: Command, context: Context): void => {
    withExamples(
      command
        .description(`List ${plural}${ours}.`)
        .option('--limit <n>', `page size; with --all ${pageSize.max}, otherwise the service's own`)
        .option('--page <n>', `which page, from 1 ${notInReference}`)
        .option('--all', `follow all pages ${notInReference}`),
      [
        [`orgctl ${kind} list`, 'the first page'],
        [`orgctl ${kind} list --all -o csv --columns id,name`, 'all of them, two columns'],
      ],
    ).action((options) => listResources({ resource, view }, options, context));
  };
}

async function listResources(
  { resource, view }: Pick<Noun, 'resource' | 'view'>,
  options: ListOptions,
  context: Pick<Context, 'api' | 'printer' | 'note' | 'progress'>,
): Promise<void> {
  const request = pageRequest(options);
  const printer = await context.printer();
  const api = await context.api();
  const { list } = api[resource.property];
  const { deadline } = api.transport;
  const items = options.all
    ? allPages(list, { ...request, deadline }, resource.plural, context)
    : onePage(list, request, context);
  await printer.list(items, view);
}
