import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { clockView } from '../../../verbs/local/clock-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function set(command: Command, context: Context): void {
  withExamples(
    withData(command.description("Set the server's time.")).argument(
      '<time>',
      'ISO 8601 time with a zone, such as 2030-01-01T00:00:00Z, or a date (midnight UTC)',
    ),
    [
      ['orgctl local clock set 2030-01-01T00:00:00Z', 'another year'],
      ['orgctl local clock set 2030-12-31T23:59:50+01:00', 'ten seconds before the new year in Berlin'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (time, flags) => {
    const printer = await context.printer();
    printer.check(clockView, 'value');
    const state = await withControl(flags, context, (control) => control.clock.set(time));
    await printer.one(state, clockView);
  });
}
