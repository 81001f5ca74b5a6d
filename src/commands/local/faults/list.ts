import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { faultView } from '../../../verbs/local/fault-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function list(command: Command, context: Context): void {
  withExamples(
    withData(command.description('List the fault rules, with the hits so far and the hits that remain.')),
    [
      ['orgctl local faults list', 'was any rule hit?'],
      ["orgctl local faults list --query 'sum([].hits)'", 'how many hits were there in all?'],
    ],
    { calls: 'control' },
  ).action(async (flags) => {
    const printer = await context.printer();
    printer.check(faultView, 'list');
    const found = await withControl(flags, context, (control) => control.faults.get());
    await printer.list(found, faultView);
  });
}
