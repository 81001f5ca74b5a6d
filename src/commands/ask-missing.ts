import type { Context } from '../context.js';
import { UsageError } from '../errors.js';

/** A required value: how it is given on the command line, and the question that asks for it. */
export type Missing = readonly [given: string, question: string];

/**
 * Asks for missing values on a terminal, one question each.
 *
 * @returns the answers, by value
 * @throws UsageError naming all missing values when there is no terminal, and for an empty answer
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
