import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { stubView } from '../../../verbs/local/stub-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function list(command: Command, context: Context): void {
  withExamples(
    withData(command.description('List the stubs. JSON and YAML output includes their headers and bodies.')),
    [
      ['orgctl local stubs list', 'was any stub used?'],
      ['orgctl local stubs list -o yaml', 'with headers and bodies'],
    ],
    { calls: 'control' },
  ).action(async (flags) => {
    const printer = await context.printer();
    printer.check(stubView, 'list');
    const found = await withControl(flags, context, (control) => control.stubs.get());
    await printer.list(found, stubView);
  });
}
