import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { checkDecodedSecret, decodeSecret } from '../profiles/settings/secret-text.js';

export interface SecretInput {
  readonly stdin?: boolean | undefined;
  readonly env?: string | undefined;
}

export interface SecretNames {
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
  input: SecretInput,
  names: SecretNames,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<string> {
  if (input.stdin && input.env !== undefined) {
    throw new UsageError(`${names.stdinFlag} and ${names.envFlag} cannot be combined`);
  }
  if (!input.stdin && input.env === undefined) {
    const prompt = await context.prompt();
    return prompt.hidden(names.prompt, {
      hint: adviseOptions(names),
      check: (answer) => {
        checkDecodedSecret(answer, (what) => new UsageError(`the input ${what}`));
        names.check?.(answer);
      },
    });
  }
  const secret = await readGivenSecret(input, names, context);
  names.check?.(secret);
  return secret;
}

function adviseOptions({ stdinFlag, envFlag, commandFlag, why }: SecretNames): string {
  const options =
    commandFlag === undefined
      ? `use ${stdinFlag} or ${envFlag} VAR`
      : `use ${stdinFlag}, ${envFlag} VAR or ${commandFlag} COMMAND`;
  return why === undefined ? options : `${why}: ${options}`;
}

async function readGivenSecret(
  input: SecretInput,
  names: SecretNames,
  context: Pick<Context, 'system' | 'stdin'>,
): Promise<string> {
  const { stdinFlag, envFlag } = names;
  if (input.env === undefined) {
    return decodeSecret(
      await context.stdin(stdinFlag),
      (what, cause) => new UsageError(`${stdinFlag}: standard input ${what}`, { cause }),
    );
  }
  const refuse = (what: string) => new UsageError(`${envFlag} ${input.env}: the variable ${what}`);
  const value = context.system.env[input.env];
  if (value === undefined) throw refuse('is not set');
  return checkDecodedSecret(value, refuse);
}
