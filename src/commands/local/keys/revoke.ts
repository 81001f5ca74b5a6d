import type { Command } from '@commander-js/extra-typings';
import { apiKeys } from '../../../api/resources/api-key.js';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { canAsk } from '../../../terminal/interaction/can-ask.js';
import { resolveKey } from '../../../verbs/local/key-by-name.js';
import {
  nameServer,
  requireConfirmation,
  withControl,
  withData,
  yesOption,
} from '../../../verbs/local/with-control.js';
import { requireWholeIds } from '../../../verbs/resource/named.js';

export function revoke(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Permanently delete an API key.'))
      .argument('<id-or-name>', 'ID of an API key, or its name')
      .option(...yesOption),
    [
      ['orgctl local keys revoke ci', 'prompts first'],
      ['orgctl local keys revoke ci --yes', 'in a script'],
    ],
    { calls: 'control', writes: ['server'], asks: 'first, unless --yes' },
  ).action(async (text, { yes, ...flags }) => {
    await withControl(flags, context, async ({ keys }, server) => {
      const key = await resolveKey(text, keys);
      if (yes || !canAsk(context)) requireWholeIds(apiKeys, [key], 'revoked');
      const { id } = key;
      await requireConfirmation(`Permanently revoke ${id} on ${nameServer(server)}?`, yes, context);
      await keys.revoke(id);
      await context.note(`${id} revoked`);
    });
  });
}
