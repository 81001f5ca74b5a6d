import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function clear(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Remove every stub: the service answers by itself.')),
    [['orgctl local stubs clear', 'nothing is answered by hand any more']],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    await withControl(flags, context, (control) => control.stubs.clear());
    await context.note('no stubs are left');
  });
}
