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
        'Reset the server on this machine: its data to the first organization or the seed, and its clock, faults, stubs and rate limit to what the options of serve set. It also clears the journal, but keeps snapshots.',
      ),
    ).option(...yesOption),
    [
      ['orgctl local reset --yes', 'before each test'],
      ['orgctl local reset', 'prompts first'],
    ],
    { calls: 'control', writes: ['server'], asks: 'first, unless --yes' },
  ).action(async ({ yes, ...flags }) => {
    await withControl(flags, context, async (control, server) => {
      await requireConfirmation(
        `Reset ${nameServer(server)} to its initial state? All data except snapshots will be lost.`,
        yes,
        context,
      );
      await control.reset();
      await context.note('the server is back in its initial state');
    });
  });
}
