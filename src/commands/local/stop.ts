import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { stopServer } from '../../verbs/local/await-server.js';
import { withData } from '../../verbs/local/with-control.js';

export function stop(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Stop the server on this machine, and wait until it has stopped. The server gives requests in flight 5 seconds to finish, except requests that a delay fault still holds.',
      ),
    ),
    [
      ['orgctl local stop', 'then: orgctl serve, to start it again'],
      [
        'orgctl local stop && orgctl serve rotate-master-key',
        'for commands that need the server to be stopped',
      ],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    const { address } = await stopServer(flags, context);
    await context.note(`the server at ${address.origin} stopped`);
  });
}
