import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { withExamples } from '../help-text.js';
import { type LazyCommand, mount } from '../lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'list',
    summary: 'list database connections',
    load: async () => (await import('./list.js')).list,
  },
  {
    name: 'create',
    summary: 'create a database connection',
    load: async () => (await import('./create.js')).create,
  },
];

export function connections(command: Command, context: Context): void {
  withExamples(command.description('List and create database connections.'), [
    ['orgctl connections list --all', 'every connection of the organization'],
  ]);
  mount(command, verbs, context);
}
