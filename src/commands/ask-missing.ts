import type { Context } from '../context.js';
import { UsageError } from '../errors.js';

/** What a command cannot do without, as it is given on the command line, and as it is asked for. */
export type Missing = readonly [given: string, question: string];

/**
 * Asks on a terminal for what is missing, one question each.
 *
 * @returns the answers by what they stand for
 * @throws UsageError naming all that is missing where there is no terminal, and for an empty answer
 */
export async function askMissing(
  missing: readonly Missing[],
  hint: string | undefined,
  { system, streams, prompt }: Pick<Context, 'system' | 'streams' | 'prompt'>,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  if (missing.length === 0) return answers;
  const all = `missing: ${missing.map(([given]) => given).join(', ')}`;
  if (system.stdin.isTTY !== true || !streams.stderr.isTerminal) throw new UsageError(all, { hint });
  const { line } = await prompt();
  for (const [given, question] of missing) {
    const answer = (await line(`${question}:`, { hint: hint ?? `give ${given}` })).trim();
    if (answer === '') throw new UsageError(`missing: ${given}`, { hint });
    answers.set(given, answer);
  }
  return answers;
}
