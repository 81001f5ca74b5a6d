import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function clear(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Remove all fault rules. Requests are then handled normally.')),
    [
      ['orgctl local faults clear', 'requests are handled normally again'],
      ['npm test; orgctl local faults clear', 'after tests that set some'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    await withControl(flags, context, (control) => control.faults.clear());
    await context.note('all fault rules removed');
  });
}
