import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { dropTrailingNewline } from '../profiles/settings/secret.js';

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
      check: names.check,
    });
  }
  const secret = dropTrailingNewline(await readSecretText(input, names, context));
  names.check?.(secret);
  return secret;
}

function adviseOptions({ stdinFlag, envFlag, commandFlag }: SecretNames): string {
  return commandFlag === undefined
    ? `use ${stdinFlag} or ${envFlag} VAR`
    : `use ${stdinFlag}, ${envFlag} VAR or ${commandFlag} COMMAND`;
}

async function readSecretText(
  input: SecretInput,
  names: SecretNames,
  context: Pick<Context, 'system' | 'stdin'>,
): Promise<string> {
  if (input.env === undefined) return (await context.stdin(names.stdinFlag)).toString('utf8');
  const value = context.system.env[input.env];
  if (value === undefined) throw new UsageError(`${names.envFlag} ${input.env}: the variable is not set`);
  return value;
}
