import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { clockView } from '../../../verbs/local/clock-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function advance(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description("Move the server's clock forward by a duration, or back if it is negative."),
    ).argument('<duration>', 'such as 10m; a negative one comes after --'),
    [
      ['orgctl local clock advance 10m', 'forward by ten minutes'],
      ['orgctl local clock advance -- -1h', 'back by an hour'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (by, flags) => {
    const state = await withControl(flags, context, (control) => control.clock.advance(by));
    await (await context.printer()).one(state, clockView);
  });
}
