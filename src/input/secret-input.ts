import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { checkDecodedSecret, decodeSecret } from '../profiles/settings/secret-text.js';

interface SecretInput {
  readonly stdin?: boolean | undefined;
  readonly env?: string | undefined;
}

interface SecretNames {
  readonly prompt: string;
  readonly stdinFlag: string;
  readonly envFlag: string;
  /** An option for a command that prints the secret, if there is one. */
  readonly commandFlag?: string | undefined;
  /** Precedes the hint if there is no terminal. */
  readonly why?: string | undefined;
  /** Throws a UsageError for an unusable secret; a prompt then asks again. */
  readonly check?: (secret: string) => void;
}

/** Reads a secret from stdin, a variable or a hidden prompt, without a trailing newline. @throws UsageError */
export async function readSecret(
  { stdin, env }: SecretInput,
  { prompt, stdinFlag, envFlag, commandFlag, why, check }: SecretNames,
  context: Context,
): Promise<string> {
  if (stdin && env !== undefined) throw new UsageError(`${stdinFlag} and ${envFlag} cannot be combined`);
  if (!stdin && env === undefined) {
    const options =
      commandFlag === undefined
        ? `use ${stdinFlag} or ${envFlag} VAR`
        : `use ${stdinFlag}, ${envFlag} VAR or ${commandFlag} COMMAND`;
    return (await context.prompt()).hidden(prompt, {
      hint: why === undefined ? options : `${why}: ${options}`,
      check: (answer) => {
        checkDecodedSecret(answer, (what) => new UsageError(`the input ${what}`));
        check?.(answer);
      },
    });
  }
  const source = env === undefined ? `${stdinFlag}: standard input` : `${envFlag} ${env}: the variable`;
  const refuse = (what: string, cause?: unknown) => new UsageError(`${source} ${what}`, { cause });
  const value = env === undefined ? await context.stdin(stdinFlag) : context.system.env[env];
  if (value === undefined) throw refuse('is not set');
  const secret = typeof value === 'string' ? checkDecodedSecret(value, refuse) : decodeSecret(value, refuse);
  check?.(secret);
  return secret;
}
