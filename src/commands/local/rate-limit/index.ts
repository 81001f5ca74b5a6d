import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  { name: 'show', summary: 'show the rate limit', load: async () => (await import('./show.js')).show },
  {
    name: 'set',
    summary: 'set the rate limit, such as 100/1m',
    load: async () => (await import('./set.js')).set,
  },
  { name: 'clear', summary: 'remove the rate limit', load: async () => (await import('./clear.js')).clear },
];

export function rateLimit(command: Command, context: Context): void {
  withExamples(
    command.description(
      'Show, set and clear the rate limit: how many requests per time window the server on this machine accepts from each API key. Further requests get 429.',
    ),
    [
      ['orgctl local rate-limit set 3/10s', 'does a client wait as Retry-After says?'],
      ['orgctl local rate-limit clear', 'no limit from now on'],
    ],
  );
  mountCommands(command, verbs, context);
}
