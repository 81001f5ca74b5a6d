import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { clockView } from '../../../verbs/local/clock-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function reset(command: Command, context: Context): void {
  withExamples(
    withData(command.description("Return the server's clock to this machine's time.")),
    [
      ['orgctl local clock reset', 'neither ahead nor behind'],
      ['npm test; orgctl local clock reset', 'after tests that moved it'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    const printer = await context.printer();
    printer.check(clockView, 'value');
    const state = await withControl(flags, context, async ({ clock }) =>
      clock.advance(-(await clock.get()).offset),
    );
    await printer.one(state, clockView);
  });
}
