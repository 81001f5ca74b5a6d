import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { resolveKeyToChange } from '../../../verbs/local/key-by-name.js';
import { keyView } from '../../../verbs/local/key-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function disable(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description('Disable an API key. The server refuses its requests until you enable it again.'),
    ).argument('<id-or-name>', 'ID of an API key, or its name'),
    [
      ['orgctl local keys disable key_21f3b017', 'how does a client handle a disabled key?'],
      ['orgctl local keys disable ci', 'by name'],
    ],
    { calls: 'control', writes: ['server'], asks: 'on a terminal, if only the beginning of an ID is given' },
  ).action(async (text, flags) => {
    const printer = await context.printer();
    printer.check(keyView, 'value');
    const disabled = await withControl(flags, context, async ({ keys }, server) => {
      const verb = { change: 'Disable', changed: 'disabled' };
      return keys.disable(await resolveKeyToChange(text, { keys, server }, verb, context));
    });
    await printer.one(disabled, keyView);
  });
}
