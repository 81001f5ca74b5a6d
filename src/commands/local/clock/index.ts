import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'show',
    summary: "show the server's time and offset",
    load: async () => (await import('./show.js')).show,
  },
  { name: 'set', summary: "set the server's time", load: async () => (await import('./set.js')).set },
  {
    name: 'advance',
    summary: 'move the clock forward or back',
    load: async () => (await import('./advance.js')).advance,
  },
  {
    name: 'reset',
    summary: "reset the clock to this machine's time",
    load: async () => (await import('./reset.js')).reset,
  },
];

export function clock(command: Command, context: Context): void {
  withExamples(
    command.description(
      'Show, set, advance and reset the clock of the server on this machine. After a change, the clock keeps running from the new time.',
    ),
    [
      ['orgctl local clock advance 10m', 'does the server refuse clients whose clock is behind?'],
      ['orgctl local clock reset', "back to this machine's time"],
    ],
  );
  mountCommands(command, verbs, context);
}
