import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'set',
    summary: 'set limits, such as connections=50',
    load: async () => (await import('./set.js')).set,
  },
];

export function quotas(command: Command, context: Context): void {
  withExamples(command.description("Set an organization's quota limits on the server on this machine."), [
    ['orgctl local quotas set connections=0', 'the server refuses the next connection'],
    ['orgctl local quotas set teams=50 api-keys=50', 'several limits at once'],
  ]);
  mountCommands(command, verbs, context);
}
