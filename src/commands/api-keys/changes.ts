import { apiKeys } from '../../api/resources/api-key.js';
import { argument, command, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ownCommand } from '../../cli/help-text.js';
import { UsageError } from '../../errors/errors.js';
import { confirmOnTerminal, quoteName } from '../resource/confirm.js';
import { deleteVerb } from '../resource/delete.js';
import { adviseIfUnwritten, adviseSeeing, apiForChange, printAnswer } from '../resource/print.js';
import { findTargets, notFound, onTarget, parseIdentifiers, type Target } from '../resource/target.js';
import { updateResources } from '../resource/update.js';
import { confirmOwnKey, evenMineOption, type OwnKeyOptions } from './own-key.js';
import { apiKey, apiKeyView } from './view.js';

const idOrName = argument('<id-or-name>', 'ID or exact name of the API key');

export const update = command({
  description: `Rename an API key. ${ownCommand}`,
  args: [idOrName],
  options: [option('--name <name>', 'new name', { isRequired: true })],
  examples: [
    ['orgctl api-keys update ci --name nightly', 'a new name'],
    ['orgctl api-keys update --name nightly -- -ci', 'if the old name begins with a hyphen'],
  ],
  calls: 'service',
  writes: ['service'],
  run: (context, texts, { name }) => updateResources(apiKey, { texts, patch: { name } }, context),
});

export const disable = command({
  description: `Disable an API key. Its requests are then refused. The API cannot re-enable it: use the service's management console or, for a local server, "orgctl local keys enable". ${ownCommand}`,
  args: [idOrName],
  options: [option('-y, --yes', 'do not prompt'), option(...evenMineOption)],
  examples: [
    ['orgctl api-keys disable ci', 'refuse its requests until it is enabled again'],
    ['orgctl api-keys disable ci --yes', 'without a prompt, in a script'],
  ],
  calls: 'service',
  writes: ['service'],
  asks: 'on a terminal, unless --yes; for the ID of the key you are using, unless --yes --even-mine',
  run: (context, [text], options) => disableKey(text, options, context),
});

/** The API has no call for this. */
export const enable = command({
  description:
    'Explain how to re-enable a disabled API key. The API has no call for this: use the service\'s management console or, for a local server, "orgctl local keys enable".',
  args: [argument('[id]', 'ID of an API key')],
  examples: [['orgctl local keys enable ci', 'on a local server']],
  async run(_context, [id = 'ID']) {
    throw new UsageError('the API cannot enable API keys: use the management console', {
      hint: 'on a local server',
      next: ['orgctl', 'local', 'keys', 'enable', id],
    });
  },
});

export const remove = deleteVerb(apiKey, {
  option: evenMineOption,
  confirm: (targets, options, context) => confirmOwnKey('delete', targets, options, context),
});

async function disableKey(text: string, options: OwnKeyOptions, context: Context): Promise<void> {
  const [typed = text] = parseIdentifiers(apiKeys, [text]);
  const api = await apiForChange(apiKeyView, 'value', context);
  const [target = { id: typed, typed }] = await findTargets(apiKeys, [text], api, context);
  if (target.isAbsent) throw notFound(apiKeys, target);
  const asked = await confirmOwnKey('disable', [target], options, context);
  if (!options.yes && !asked) await confirmDisabling(target, context);
  const change = (id: string) => api.apiKeys.update(id, { enabled: false }, { evenMine: true });
  const disabled = await onTarget(apiKeys, target, change);
  const advice = adviseSeeing(apiKeys, { id: target.id }, 'disabled');
  await adviseIfUnwritten(printAnswer(disabled, apiKeyView, context), advice);
}

function confirmDisabling({ id, found }: Target, context: Context): Promise<void> {
  const name = found?.['name'];
  const key = typeof name === 'string' ? `${quoteName(name)} (${id})` : id;
  return confirmOnTerminal(
    { change: `Disable API key ${key}`, outcome: 'The API cannot re-enable it.' },
    'nothing was disabled',
    context,
  );
}
