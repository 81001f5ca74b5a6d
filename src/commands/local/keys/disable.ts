import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { keyView } from '../../../verbs/local/key-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function disable(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Disable an API key: its requests are refused from then on, until it is enabled again.',
      ),
    ).argument('<id>', 'ID of an API key'),
    [['orgctl local keys disable key_21f3b017', 'how does a client handle that?']],
    { calls: 'control', writes: ['server'] },
  ).action(async (id, flags) => {
    const disabled = await withControl(flags, context, ({ keys }) => keys.disable(id));
    await (await context.printer()).one(disabled, keyView);
  });
}
