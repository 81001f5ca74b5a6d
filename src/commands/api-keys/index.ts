import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'list',
    summary: 'list API keys',
    load: async () => (await import('./list.js')).list,
  },
  {
    name: 'get',
    summary: 'show API keys by ID or name',
    load: async () => (await import('./get.js')).get,
  },
  {
    name: 'create',
    summary: 'create an API key; its secret is shown once',
    load: async () => (await import('./create.js')).create,
  },
  {
    name: 'update',
    summary: 'rename an API key',
    load: async () => (await import('./update.js')).update,
  },
  {
    name: 'disable',
    summary: 'disable an API key',
    load: async () => (await import('./disable.js')).disable,
  },
  {
    name: 'enable',
    hidden: true,
    summary: 'explain how to re-enable a disabled key',
    load: async () => (await import('./enable.js')).enable,
  },
  {
    name: 'rotate',
    summary: "replace the active profile's key with a new one",
    load: async () => (await import('./rotate.js')).rotate,
  },
  {
    name: 'delete',
    summary: 'delete API keys',
    load: async () => (await import('./delete.js')).remove,
  },
];

export function apiKeys(command: Command, context: Context): void {
  withExamples(
    command.description(
      'Create, list, rename, disable, rotate and delete API keys. The API cannot re-enable a key: use the service\'s management console or, for a local server, "orgctl local keys enable".',
    ),
    [
      ['orgctl api-keys create --name ci', 'the secret is shown once'],
      ['orgctl api-keys list --all --unused-for 90d', 'keys that may no longer be needed'],
    ],
  );
  mountCommands(command, verbs, context);
}
