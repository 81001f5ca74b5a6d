import type { Context } from '../cli/context.js';
import type { Advice } from '../errors/advice.js';
import { UsageError } from '../errors/errors.js';
import { checkDecodedSecret, decodeSecret, readVariable } from '../profiles/settings/secret.js';
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

interface SecretQuestion {
  readonly prompt: string;
  /** Such as `--password`, for `--password-stdin` and `--password-env`. */
  readonly option: string;
  /** For a command line without a terminal. */
  readonly hint: string;
  /** Throws a UsageError for an unusable secret; a prompt then asks again. */
  readonly check?: (secret: string) => void;
}

/** From stdin, a variable or a hidden prompt. @throws UsageError */
export async function readSecret(
  { stdin, env }: { readonly stdin: boolean | undefined; readonly env: string | undefined },
  { prompt, option, hint, check }: SecretQuestion,
  context: Context,
): Promise<string> {
  const source = stdin
    ? `${option}-stdin: standard input`
    : env === undefined
      ? 'the input'
      : `${option}-env ${env}: the variable`;
  const refuse = (what: string, cause?: unknown) => new UsageError(`${source} ${what}`, { cause });
  const checked = (secret: string) => {
    check?.(checkDecodedSecret(secret, refuse));
    return secret;
  };
  if (stdin) return checked(decodeSecret(await context.stdin(`${option}-stdin`), refuse));
  if (env !== undefined) return checked(readVariable(env, context.system.env, refuse));
  return (await context.prompt()).hidden(prompt, { hint, check: checked });
}
