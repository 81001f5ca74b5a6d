import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';

/** What is answered beforehand. */
export interface OwnKeyOptions {
  readonly yes?: boolean | undefined;
  readonly evenMine?: boolean | undefined;
}

export const evenMineOption = ['--even-mine', 'with --yes: also the key that signs this command'] as const;

/**
 * Whoever deletes or disables the key that signs locks themselves out: warns, and asks for its ID. `--yes` answers other
 * questions, not this one.
 *
 * @param change as `delete`, `disable`
 * @returns whether it was asked
 * @throws UsageError when the key is among the IDs, and neither its ID was typed nor `--even-mine` given
 */
export async function confirmOwnKey(
  change: 'delete' | 'disable',
  ids: readonly string[],
  { yes, evenMine }: OwnKeyOptions,
  context: Pick<Context, 'settings' | 'prompt' | 'note'>,
): Promise<boolean> {
  const { credential } = await context.settings().service();
  const { keyId } = credential;
  if (!ids.includes(keyId)) return false;
  const danger = `${keyId} is the key that signs this command: to ${change} it locks you out`;
  if (yes && !evenMine) {
    throw new UsageError(danger, { hint: 'orgctl api-keys rotate replaces it; --yes --even-mine goes on' });
  }
  await context.note(`warning: ${danger}`);
  if (evenMine) return false;
  const prompt = await context.prompt();
  const typed = await prompt.line(`Type its ID to ${change} it:`, {
    hint: `${danger}; without a terminal to ask on, pass --yes --even-mine`,
  });
  if (typed.trim() === keyId) return true;
  throw new UsageError(`nothing was ${change}d: that is not ${keyId}`);
}
