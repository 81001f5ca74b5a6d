import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import {
  nameServer,
  requireConfirmation,
  withControl,
  withData,
  yesOption,
} from '../../../verbs/local/with-control.js';

export function revoke(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Delete an API key. Nothing brings it back.'))
      .argument('<id>', 'ID of an API key')
      .option(...yesOption),
    [['orgctl local keys revoke key_21f3b017 --yes', 'without being asked']],
    { calls: 'control', writes: ['server'], asks: 'before, unless --yes' },
  ).action(async (id, { yes, ...flags }) => {
    await withControl(flags, context, async ({ keys }, server) => {
      await requireConfirmation(`Revoke ${id} for good, on ${nameServer(server)}?`, yes, context);
      await keys.revoke(id);
      await context.note(`${id} is revoked`);
    });
  });
}
