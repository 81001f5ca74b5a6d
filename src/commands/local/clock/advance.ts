import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { UsageError } from '../../../errors/errors.js';
import { clockView } from '../../../verbs/local/clock-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function advance(command: Command, context: Context): void {
  // A negative duration looks like an option.
  command.allowUnknownOption();
  withExamples(
    withData(
      command.description("Move the server's clock forward by a duration, or back if it is negative."),
    ).argument('<duration>', 'such as 10m, or -10m to move back'),
    [
      ['orgctl local clock advance 10m', 'forward by ten minutes'],
      ['orgctl local clock advance -1h', 'back by an hour'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (by, flags) => {
    if (/^-\D/.test(by)) throw new UsageError(`unknown option '${by}'`);
    const printer = await context.printer();
    printer.check(clockView, 'value');
    const state = await withControl(flags, context, (control) => control.clock.advance(by));
    await printer.one(state, clockView);
  });
}
