import type { Context } from '../../cli/context.js';
import { advise, DeclinedError, UsageError } from '../../errors/errors.js';

export const evenMineOption = ['--even-mine', 'with --yes: also the key that signs this command'] as const;

/** What is answered beforehand. */
export interface OwnKeyOptions {
  readonly yes?: boolean | undefined;
  readonly evenMine?: boolean | undefined;
}

/**
 * Deleting or disabling the key that signs locks its user out: warns, and asks for the key's ID. `--yes` does not
 * answer this question.
 *
 * @param change as `delete`, `disable`
 * @returns whether it was asked
 * @throws DeclinedError when another text than its ID was typed; UsageError when nobody can be asked, or `--yes` came
 * without `--even-mine`
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
  const danger = `${keyId} is the key that signs this command: if you ${change} it, you lock yourself out`;
  if (yes && !evenMine) {
    throw new UsageError(
      danger,
      advise(
        ['orgctl', 'api-keys', 'rotate'],
        (command) => `${command} replaces it; --yes --even-mine does it anyway`,
      ),
    );
  }
  await context.note(`warning: ${danger}`);
  if (evenMine) return false;
  const prompt = await context.prompt();
  const typed = await prompt.line(`Type its ID to ${change} it:`, {
    hint: `${danger}; without a terminal to ask on, pass --yes --even-mine`,
  });
  if (typed.trim() === keyId) return true;
  throw new DeclinedError(`nothing was ${change}d: that is not ${keyId}`);
}
