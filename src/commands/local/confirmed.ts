import type { Context } from '../../context.js';

export const yesOption = ['-y, --yes', 'do not ask'] as const;

/**
 * Whether what takes something away is wanted: by `--yes`, or by an answer at the terminal.
 *
 * @throws UsageError where there is no terminal to ask on
 */
export async function confirmed(
  question: string,
  yes: boolean | undefined,
  context: Pick<Context, 'prompt' | 'note'>,
): Promise<boolean> {
  if (yes) return true;
  const prompt = await context.prompt();
  if (await prompt.confirm(question, { hint: 'pass --yes' })) return true;
  await context.note('nothing was done');
  return false;
}
