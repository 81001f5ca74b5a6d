import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'list',
    summary: 'list fault rules and how often each was hit',
    load: async () => (await import('./list.js')).list,
  },
  { name: 'set', summary: 'replace all fault rules', load: async () => (await import('./set.js')).set },
  { name: 'clear', summary: 'remove all fault rules', load: async () => (await import('./clear.js')).clear },
];

export function faults(command: Command, context: Context): void {
  withExamples(
    command.description(
      'List, set and clear the rules that make requests to the server on this machine fail.',
    ),
    [
      ["orgctl local faults set 'GET /quotas=503x2'", 'the next two GET /quotas get 503'],
      ['orgctl local faults clear', 'requests are handled normally again'],
    ],
  );
  mountCommands(command, verbs, context);
}
