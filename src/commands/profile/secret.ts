import type { Context } from '../../context.js';
import { UsageError } from '../../errors.js';
import type { Profile } from '../../profiles/profile-file.js';
import { readSecret } from '../secret-input.js';

/** The flags that say where a profile's secret comes from. */
export interface SecretFlags {
  readonly secretStdin?: boolean | undefined;
  readonly secretEnv?: string | undefined;
  readonly secretCommand?: string | undefined;
  /** Where the secret is kept, not where it comes from. */
  readonly keyring?: boolean | undefined;
}

/** Whether a flag says where the secret comes from; without one only a prompt can tell it. */
export function isSecretGiven({ secretStdin, secretEnv, secretCommand }: SecretFlags): boolean {
  return secretStdin === true || secretEnv !== undefined || secretCommand !== undefined;
}

/** The secret that is to be stored, or the command that prints it. @throws UsageError for an empty one */
export async function secretOf(
  { secretStdin, secretEnv, secretCommand, keyring }: SecretFlags,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
): Promise<Pick<Profile, 'secret' | 'secretCommand'>> {
  if (secretCommand !== undefined) {
    if (secretStdin || secretEnv !== undefined) {
      throw new UsageError('--secret-command excludes --secret-stdin and --secret-env');
    }
    if (keyring) throw new UsageError('--secret-command and --keyring exclude each other');
    return { secretCommand };
  }
  const names = { prompt: 'API key secret', stdinFlag: '--secret-stdin', envFlag: '--secret-env' };
  const secret = await readSecret({ stdin: secretStdin, env: secretEnv }, names, context);
  if (secret === '') throw new UsageError('the secret is empty');
  return { secret };
}
