import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { parseQuotaRules } from '../../../input/quota-rules.js';
import { refuseOrganization } from '../../../verbs/local/missing-organization.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';
import { quotaView } from '../../quotas/rows.js';

export function set(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Set limits of an organization. A limit below current use removes nothing.'))
      .argument('<limits...>', 'limits of the form kind=number')
      .option('--organization <id>', 'the organization; default the first one'),
    [
      ['orgctl local quotas set connections=0', 'the next connection is refused'],
      ['orgctl local quotas set connections=50 teams=0', 'two limits at once'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (rules, { organization, ...flags }) => {
    const limits = parseQuotaRules(rules, (rule) => JSON.stringify(rule));
    const printer = await context.printer();
    printer.check(quotaView(), 'list');
    const record = await withControl(flags, context, (control) =>
      control.quotas.set(limits, organization).catch(refuseOrganization),
    );
    const rows = Object.entries(record).map(([kind, quota]) => ({ kind, ...quota }));
    await printer.value(record, rows, quotaView());
  });
}
