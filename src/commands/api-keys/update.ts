import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { ownCommand, withExamples } from '../../cli/help-text.js';
import { apiKey } from '../../verbs/api-keys/api-key.js';
import { updateResources } from '../../verbs/resource/update.js';

export function update(command: Command, context: Context): void {
  withExamples(
    command
      .description(`Rename an API key. ${ownCommand}`)
      .argument('<id-or-name>', 'ID or exact name of the API key')
      .requiredOption('--name <name>', 'new name'),
    [
      ['orgctl api-keys update ci --name nightly', 'a new name'],
      ['orgctl api-keys update --name nightly -- -ci', 'if the old name begins with a hyphen'],
    ],
    { calls: 'service', writes: ['service'] },
  ).action((text, { name }) => updateResources(apiKey, { texts: [text], patch: { name } }, context));
}
