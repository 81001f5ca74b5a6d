import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { notInReference, withExamples } from '../help-text.js';
import { type AnswerContext, printAnswer } from '../print-answer.js';
import { parseIdentifier } from '../resource/identifier.js';
import { confirmOwnKey, evenMineOption, type OwnKeyOptions } from './own-key.js';
import { apiKeyView } from './view.js';

/** `orgctl api-keys disable <id>`: `PATCH /api-keys/{id}` [ours]. Enabling is done in the console (reference, section 3). */
export function disable(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        `Disable an API key ${notInReference}. It is refused from then on; only the management console enables it again.`,
      )
      .argument('<id>', 'ID of an API key')
      .option('-y, --yes', 'do not ask')
      .option(...evenMineOption),
    [['orgctl api-keys disable key_21f3b017', 'until the console enables it again']],
  ).action((id, options) => disableApiKey(parseIdentifier(id), options, context));
}

async function disableApiKey(
  id: string,
  options: OwnKeyOptions,
  context: AnswerContext & Pick<Context, 'api' | 'prompt' | 'settings' | 'note'>,
): Promise<void> {
  (await context.printer()).check(apiKeyView, 'value');
  const { apiKeys } = await context.api();
  await confirmOwnKey('disable', [id], options, context);
  const disabled = await apiKeys.update(id, { enabled: false });
  await printAnswer(disabled, apiKeyView, context);
}
