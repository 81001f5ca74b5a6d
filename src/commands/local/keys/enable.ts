import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { keyView } from '../../../verbs/local/key-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function enable(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description('Enable a disabled API key again: its requests are accepted from then on.'),
    ).argument('<id>', 'ID of an API key'),
    [['orgctl local keys enable key_21f3b017', 'it works again']],
    { calls: 'control', writes: ['server'] },
  ).action(async (id, flags) => {
    const enabled = await withControl(flags, context, ({ keys }) => keys.enable(id));
    await (await context.printer()).one(enabled, keyView);
  });
}
