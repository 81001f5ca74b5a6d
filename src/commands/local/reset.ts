import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import {
  nameServer,
  requireConfirmation,
  withControl,
  withData,
  yesOption,
} from '../../verbs/local/with-control.js';

export function reset(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Return the server on this machine to its state at the start: only the data of the first organization, or of the seed; clock, faults, rate limit and journal as at the start. Everything else is lost; snapshots stay.',
      ),
    ).option(...yesOption),
    [['orgctl local reset --yes', 'before each test']],
    { calls: 'control', writes: ['server'], asks: 'before, unless --yes' },
  ).action(async ({ yes, ...flags }) => {
    await withControl(flags, context, async (control, server) => {
      await requireConfirmation(`Delete all data of ${nameServer(server)}?`, yes, context);
      await control.reset();
      await context.note('the server is as it was when it started');
    });
  });
}
