import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { notInReference, withExamples } from '../help-text.js';
import { parseIdentifier } from '../resource/identifier.js';
import { apiKeyView } from './view.js';

export interface DisableOptions {
  readonly yes?: boolean | undefined;
}

/** `orgctl api-keys disable <id>`: `PATCH /api-keys/{id}` [ours]. Enabling is done in the console (reference, section 3). */
export function disable(command: Command, context: Context, run = disableApiKey): void {
  withExamples(
    command
      .description(
        `Disable an API key ${notInReference}. It is refused from then on; only the management console enables it again.`,
      )
      .argument('<id>', 'ID of an API key')
      .option('-y, --yes', 'do not ask where the key is the one in use'),
    [['orgctl api-keys disable key_21f3b017', 'until the console enables it again']],
  ).action((id, options) => run(parseIdentifier(id), options, context));
}

export async function disableApiKey(
  id: string,
  { yes }: DisableOptions,
  context: Pick<Context, 'api' | 'printer' | 'prompt' | 'settings'>,
): Promise<void> {
  const printer = await context.printer();
  const { credential } = await context.settings().service();
  if (!yes && credential.keyId === id) await confirmOwnKey(id, context);
  const { apiKeys } = await context.api();
  const disabled = await apiKeys.update(id, { enabled: false });
  await printer.value(disabled, [disabled], apiKeyView);
}

/** Whoever disables the key in use locks themselves out of this tool. */
async function confirmOwnKey(id: string, context: Pick<Context, 'prompt'>): Promise<void> {
  const prompt = await context.prompt();
  const sure = await prompt.confirm(`${id} is the key in use. Disable it, and be refused from then on?`, {
    hint: `${id} is the key in use; without a terminal to ask on, pass --yes`,
  });
  if (!sure) throw new UsageError('nothing was disabled');
}
