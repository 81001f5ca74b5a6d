import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'list',
    summary: 'list stubs and how often each was used',
    load: async () => (await import('./list.js')).list,
  },
  { name: 'set', summary: 'replace all stubs', load: async () => (await import('./set.js')).set },
  { name: 'clear', summary: 'remove all stubs', load: async () => (await import('./clear.js')).clear },
];

export function stubs(command: Command, context: Context): void {
  withExamples(
    command.description(
      'List, set and clear stubs: fixed responses that the server on this machine sends instead of its own. Authentication, rate limit and quota headers still apply.',
    ),
    [
      ["orgctl local stubs set 'GET /projects=200 []'", 'an endpoint that does not exist yet'],
      ['orgctl local stubs clear', 'the server sends its own responses again'],
    ],
  );
  mountCommands(command, verbs, context);
}
