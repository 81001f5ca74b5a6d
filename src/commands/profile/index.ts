import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../cli/lazy-command.js';
import { assertOneProfile } from '../../verbs/profile/chosen-profile.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'add',
    summary: 'save the address and key of a service',
    load: async () => (await import('./add.js')).add,
  },
  {
    name: 'set',
    summary: 'change settings of a profile',
    load: async () => (await import('./set.js')).set,
  },
  {
    name: 'list',
    summary: 'list the stored profiles',
    load: async () => (await import('./list.js')).list,
  },
  {
    name: 'show',
    summary: 'show one profile, its secret masked',
    load: async () => (await import('./show.js')).show,
  },
  {
    name: 'use',
    summary: 'make a profile current',
    load: async () => (await import('./use.js')).use,
  },
  {
    name: 'rename',
    summary: 'rename a profile',
    load: async () => (await import('./rename.js')).rename,
  },
  {
    name: 'remove',
    summary: 'delete a profile and its secret',
    load: async () => (await import('./remove.js')).remove,
  },
  {
    name: 'env',
    summary: 'print a profile as variables, with its secret',
    load: async () => (await import('./env.js')).env,
  },
  {
    name: 'path',
    summary: 'print the path of the profile file',
    load: async () => (await import('./path.js')).path,
  },
];

export function profile(command: Command, context: Context): void {
  withExamples(command.description('Manage profiles: the services and keys that orgctl uses.'), [
    ['orgctl profile add', 'prompts for everything'],
    ['orgctl profile use prod', 'use prod from now on'],
  ]);
  mountCommands(command, verbs, context);
  command.hook('preAction', (_group, verb) => assertOneProfile(verb.args[0], context.flags()));
}
