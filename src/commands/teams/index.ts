import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'list',
    summary: 'list teams',
    load: async () => (await import('./list.js')).list,
  },
  {
    name: 'get',
    summary: 'show teams by ID or name',
    load: async () => (await import('./get.js')).get,
  },
  {
    name: 'create',
    summary: 'create a team, or many from a file',
    load: async () => (await import('./create.js')).create,
  },
  {
    name: 'update',
    summary: 'rename a team',
    load: async () => (await import('./update.js')).update,
  },
  {
    name: 'delete',
    summary: 'delete teams',
    load: async () => (await import('./delete.js')).remove,
  },
];

export function teams(command: Command, context: Context): void {
  withExamples(
    command.description(
      'List, create, change and delete teams. The API reference does not describe these calls, so your service may not have them.',
    ),
    [
      ['orgctl teams create --name platform', 'a new team'],
      ['orgctl teams list --all', 'every team of the organization'],
    ],
  );
  mountCommands(command, verbs, context);
}
