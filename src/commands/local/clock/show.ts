import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { clockView } from '../../../verbs/local/clock-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function show(command: Command, context: Context): void {
  withExamples(
    withData(command.description("Show the server's time and its offset from this machine's clock.")),
    [
      ['orgctl local clock show', 'ahead, or behind?'],
      ['orgctl local clock show --query offset', 'milliseconds ahead, for a script'],
    ],
    { calls: 'control' },
  ).action(async (flags) => {
    const printer = await context.printer();
    printer.check(clockView, 'value');
    const state = await withControl(flags, context, (control) => control.clock.get());
    await printer.one(state, clockView);
  });
}
