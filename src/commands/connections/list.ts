import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { notInReference, withExamples } from '../help-text.js';
import { allPages, type ListOptions, onePage, pageRequest } from '../pages.js';
import { connectionView } from './view.js';

/** `orgctl connections list`: `GET /connections` (reference, section 4). */
export function list(command: Command, context: Context, run = listConnections): void {
  withExamples(
    command
      .description('List database connections.')
      .option('--limit <n>', 'page size')
      .option('--page <n>', `which page, from 1 ${notInReference}`)
      .option('--all', `follow all pages ${notInReference}`),
    [
      ['orgctl connections list', 'the first page'],
      ['orgctl connections list --all -o csv --columns id,name,config.host', 'all of them, three columns'],
    ],
  ).action((options) => run(options, context));
}

export async function listConnections(
  options: ListOptions,
  context: Pick<Context, 'api' | 'printer' | 'note'>,
): Promise<void> {
  const request = pageRequest(options);
  const printer = await context.printer();
  const { connections } = await context.api();
  const items = options.all
    ? allPages(connections.list, request)
    : onePage(connections.list, request, context);
  await printer.list(items, connectionView);
}
