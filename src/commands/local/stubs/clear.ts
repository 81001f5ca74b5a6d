import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function clear(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Remove all stubs. The server then sends its own responses.')),
    [
      ['orgctl local stubs clear', 'the server sends its own responses again'],
      ['npm test; orgctl local stubs clear', 'after tests that set some'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    await withControl(flags, context, (control) => control.stubs.clear());
    await context.note('all stubs removed');
  });
}
