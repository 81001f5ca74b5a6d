import type { Command } from '@commander-js/extra-typings';
import { apiKeys } from '../../api/resources/api-key.js';
import type { Context } from '../../cli/context.js';
import { ownCommand, withExamples } from '../../cli/help-text.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import { apiKeyView } from '../../verbs/api-keys/api-key.js';
import { confirmOwnKey, evenMineOption, type OwnKeyOptions } from '../../verbs/api-keys/own-key.js';
import { confirmOnTerminal, quoteName } from '../../verbs/confirm-change.js';
import { adviseIfUnwritten, adviseSeeing } from '../../verbs/done-unwritten.js';
import { type AnswerContext, apiForChange, printAnswer } from '../../verbs/print-answer.js';
import { orMissing, requirePresent } from '../../verbs/resource/missing.js';
import {
  type NamedResource,
  namedResource,
  parseIdentifiers,
  requireWholeIds,
} from '../../verbs/resource/named.js';

export function disable(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        `Disable an API key. Its requests are then refused. The API cannot re-enable it: use the service's management console or, for a local server, "orgctl local keys enable". ${ownCommand}`,
      )
      .argument('<id-or-name>', 'ID or exact name of the API key')
      .option('-y, --yes', 'do not prompt')
      .option(...evenMineOption),
    [
      ['orgctl api-keys disable ci', 'refuse its requests until it is enabled again'],
      ['orgctl api-keys disable ci --yes', 'by name, in a script'],
    ],
    {
      calls: 'service',
      writes: ['service'],
      asks: 'on a terminal, unless --yes; for the ID of the key you are using, unless --yes --even-mine',
    },
  ).action((text, options) => disableApiKey(text, options, context));
}

async function disableApiKey(
  text: string,
  options: OwnKeyOptions,
  context: AnswerContext & Pick<Context, 'api' | 'prompt' | 'settings' | 'profiles' | 'note' | 'progress'>,
): Promise<void> {
  parseIdentifiers(apiKeys, [text]);
  const api = await apiForChange(apiKeyView, 'value', context);
  const target = await namedResource(apiKeys, text, api, context);
  requirePresent(apiKeys, target);
  if (options.yes || !canAsk(context)) requireWholeIds(apiKeys, [target], 'disabled');
  const asked = await confirmOwnKey('disable', [target], options, context);
  if (!options.yes && !options.evenMine && !asked) await confirmDisabling(target, context);
  const { update, get } = api.apiKeys;
  const change = (id: string) => update(id, { enabled: false }, { evenMine: true });
  const disabled = await orMissing(apiKeys, target, change, get);
  const advice = adviseSeeing(apiKeys, { id: target.id }, 'disabled');
  await adviseIfUnwritten(printAnswer(disabled, apiKeyView, context), advice);
}

function confirmDisabling(
  { id, found }: NamedResource,
  context: Pick<Context, 'prompt' | 'system' | 'streams' | 'settings'>,
): Promise<void> {
  const { name } = found ?? {};
  const key = typeof name === 'string' ? `${quoteName(name)} (${id})` : id;
  return confirmOnTerminal(
    { change: `Disable API key ${key}`, outcome: 'The API cannot re-enable it.' },
    'nothing was disabled',
    context,
  );
}
