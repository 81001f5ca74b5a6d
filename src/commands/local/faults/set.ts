import type { Command } from '@commander-js/extra-typings';
import { faultEffects, faultForm } from '../../../api/faults/fault-grammar.js';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { faultView } from '../../../verbs/local/fault-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function set(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        `Replace all fault rules; each has the form of serve --fault: ${faultForm}, where EFFECT is ${faultEffects}.`,
      ),
    ).argument('<rules...>', "such as 'POST /connections=429'"),
    [
      ["orgctl local faults set 'GET /quotas=503x2'", 'the next two GET /quotas get 503'],
      [
        "orgctl local faults set '* *=delay:2s' 'POST *=drop'",
        'every request is delayed, and a POST is also dropped',
      ],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (rules, flags) => {
    const { parseFaultRule } = await import('../../../api/faults/fault-rule.js');
    // Checked here, because the server would put the hint into its message.
    for (const rule of rules) parseFaultRule(rule);
    const printer = await context.printer();
    printer.check(faultView, 'list');
    const found = await withControl(flags, context, (control) => control.faults.set(rules));
    await printer.list(found, faultView);
  });
}
