import type { Context } from '../cli/context.js';
import type { Advice } from '../errors/advice.js';
import { UsageError } from '../errors/errors.js';
import { canAsk } from '../terminal/output/streams.js';

export type MissingAnswer = readonly [
  given: string,
  question: string,
  check?: ((answer: string) => unknown) | undefined,
];

/** Prompts for each missing value until it is usable. @throws UsageError without a terminal, naming all of them */
export async function askMissing(
  missing: readonly MissingAnswer[],
  advice: Advice,
  context: Context,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  if (missing.length === 0) return answers;
  if (!canAsk(context))
    throw new UsageError(`missing: ${missing.map(([given]) => given).join(', ')}`, advice);
  const prompt = await context.prompt();
  for (const [given, question, check] of missing) {
    const answer = await prompt.line(`${question}:`, {
      hint: `give ${given}`,
      check: (typed) => {
        if (typed.trim() === '') throw new UsageError('an answer is needed');
        check?.(typed.trim());
      },
    });
    answers.set(given, answer.trim());
  }
  return answers;
}
