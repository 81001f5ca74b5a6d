import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'list',
    summary: 'list connections to databases',
    load: async () => (await import('./list.js')).list,
  },
  {
    name: 'get',
    summary: 'show connections by ID or name',
    load: async () => (await import('./get.js')).get,
  },
  {
    name: 'create',
    summary: 'create a connection, or many from a file',
    load: async () => (await import('./create.js')).create,
  },
  {
    name: 'update',
    summary: 'change connections',
    load: async () => (await import('./update.js')).update,
  },
  {
    name: 'delete',
    summary: 'delete connections',
    load: async () => (await import('./delete.js')).remove,
  },
];

export function connections(command: Command, context: Context): void {
  withExamples(command.description('List, create, change and delete connections to databases.'), [
    ['orgctl connections list --all', 'every connection of the organization'],
    ['orgctl connections create --file connections.yaml', 'one or many, from a file'],
  ]);
  mountCommands(command, verbs, context);
}
