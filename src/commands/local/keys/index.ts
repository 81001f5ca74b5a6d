import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'list',
    summary: 'list the keys of every organization',
    load: async () => (await import('./list.js')).list,
  },
  {
    name: 'issue',
    summary: 'issue a key; its secret is shown once',
    load: async () => (await import('./issue.js')).issue,
  },
  {
    name: 'enable',
    summary: 'enable a disabled key again',
    load: async () => (await import('./enable.js')).enable,
  },
  { name: 'disable', summary: 'disable a key', load: async () => (await import('./disable.js')).disable },
  { name: 'revoke', summary: 'delete a key', load: async () => (await import('./revoke.js')).revoke },
];

export function keys(command: Command, context: Context): void {
  withExamples(
    command.description(
      'Issue, list, enable, disable and revoke the API keys of the server on this machine, even if no key works.',
    ),
    [
      ['orgctl local keys list', 'which are disabled?'],
      ['orgctl local keys issue --name ci', 'the secret is shown once'],
    ],
  );
  mountCommands(command, verbs, context);
}
