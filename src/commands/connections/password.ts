import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import { readSecret } from '../secret-input.js';

/** The flags that say where a password comes from; never from argv. */
export interface PasswordOptions {
  readonly passwordStdin?: boolean | undefined;
  readonly passwordEnv?: string | undefined;
}

/** Whether a flag says where the password comes from; without one only a prompt can tell it. */
export function isPasswordGiven({ passwordStdin, passwordEnv }: PasswordOptions): boolean {
  return passwordStdin === true || passwordEnv !== undefined;
}

/**
 * A database password from stdin, a variable or a hidden prompt.
 *
 * @throws UsageError also for an empty one: most often the command that should have printed it has failed
 */
export async function readPassword(
  { passwordStdin, passwordEnv }: PasswordOptions,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<string> {
  const password = await readSecret(
    { stdin: passwordStdin, env: passwordEnv },
    { prompt: 'Password', stdinFlag: '--password-stdin', envFlag: '--password-env' },
    context,
  );
  if (password !== '') return password;
  throw new UsageError('the password is empty', { hint: 'an empty one can be given in a --file' });
}
