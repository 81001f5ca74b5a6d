import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { resolveKeyToChange } from '../../../verbs/local/key-by-name.js';
import { keyView } from '../../../verbs/local/key-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function enable(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description('Enable a disabled API key. The server accepts its requests again.'),
    ).argument('<id-or-name>', 'ID of an API key, or its name'),
    [
      ['orgctl local keys enable key_21f3b017', 'it works again'],
      ['orgctl local keys enable ci', 'by name'],
    ],
    { calls: 'control', writes: ['server'], asks: 'on a terminal, if only the beginning of an ID is given' },
  ).action(async (text, flags) => {
    const printer = await context.printer();
    printer.check(keyView, 'value');
    const enabled = await withControl(flags, context, async ({ keys }, server) => {
      const verb = { change: 'Enable', changed: 'enabled' };
      return keys.enable(await resolveKeyToChange(text, { keys, server }, verb, context));
    });
    await printer.one(enabled, keyView);
  });
}
