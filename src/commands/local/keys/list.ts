import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { keyView } from '../../../verbs/local/key-view.js';
import { refuseOrganization } from '../../../verbs/local/missing-organization.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function list(command: Command, context: Context): void {
  withExamples(
    withData(command.description('List the API keys of every organization, oldest first.')).option(
      '--organization <id>',
      'only keys of this organization',
    ),
    [
      ['orgctl local keys list', 'every key, with its organization'],
      ["orgctl local keys list --query '[?!enabled].name' -r", 'which are disabled?'],
    ],
    { calls: 'control' },
  ).action(async ({ organization, ...flags }) => {
    const printer = await context.printer();
    printer.check(keyView, 'list');
    const found = await withControl(flags, context, (control) =>
      control.keys.list(organization).catch(refuseOrganization),
    );
    await printer.list(found, keyView);
  });
}
