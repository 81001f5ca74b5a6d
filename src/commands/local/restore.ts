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

export function restore(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Return all data of the server on this machine to a snapshot; later changes are lost.',
      ),
    )
      .argument('<snapshot>', 'the name that orgctl local snapshot printed')
      .option(...yesOption),
    [['orgctl local restore snapshot_1 --yes', 'any number of times']],
    { calls: 'control', writes: ['server'], asks: 'before, unless --yes' },
  ).action(async (name, { yes, ...flags }) => {
    await withControl(flags, context, async (control, server) => {
      const question = `Replace all data of ${nameServer(server)} with ${name}?`;
      await requireConfirmation(question, yes, context);
      await control.restore(name);
      await context.note(`restored ${name}`);
    });
  });
}
