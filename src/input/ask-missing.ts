import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';

/** A required value: how it is given on the command line, the question that asks for it, and what checks the answer. */
export type MissingAnswer = readonly [
  given: string,
  question: string,
  check?: ((answer: string) => unknown) | undefined,
];

/**
 * Asks for missing values on a terminal, each until its answer is usable.
 * @throws UsageError naming all missing values when there is no terminal
 */
export async function askMissing(
  missing: readonly MissingAnswer[],
  hint: string | undefined,
  { system, streams, prompt }: Pick<Context, 'system' | 'streams' | 'prompt'>,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  if (missing.length === 0) return answers;
  const all = `missing: ${missing.map(([given]) => given).join(', ')}`;
  if (system.stdin.isTTY !== true || !streams.stderr.isTerminal) throw new UsageError(all, { hint });
  const { line } = await prompt();
  for (const [given, question, check] of missing) {
    const answer = await line(`${question}:`, {
      hint: hint ?? `give ${given}`,
      check: (typed) => {
        if (typed.trim() === '') throw new UsageError(`missing: ${given}`);
        check?.(typed.trim());
      },
    });
    answers.set(given, answer.trim());
  }
  return answers;
}
