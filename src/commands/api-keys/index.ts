import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { withExamples } from '../help-text.js';
import { type LazyCommand, mount } from '../lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'create',
    summary: 'create an API key; its secret is shown once',
    load: async () => (await import('./create.js')).create,
  },
];

export function apiKeys(command: Command, context: Context): void {
  withExamples(
    command.description('Create API keys. Enabling a disabled key is done in the management console.'),
    [['orgctl api-keys create --name ci', 'the secret is shown once']],
  );
  mount(command, verbs, context);
}
