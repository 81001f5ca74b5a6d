import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { checkDecodedSecret, decodeSecret, readVariable } from '../profiles/settings/secret.js';

interface SecretNames {
  readonly prompt: string;
  readonly stdinFlag: string;
  readonly envFlag: string;
  readonly commandFlag?: string | undefined;
  /** Precedes the hint if there is no terminal. */
  readonly why?: string | undefined;
  /** Throws a UsageError for an unusable secret; a prompt then asks again. */
  readonly check?: (secret: string) => void;
}

/** From stdin, a variable or a hidden prompt. @throws UsageError */
export async function readSecret(
  { stdin, env }: { readonly stdin: boolean | undefined; readonly env: string | undefined },
  { prompt, stdinFlag, envFlag, commandFlag, why, check }: SecretNames,
  context: Context,
): Promise<string> {
  const source = stdin
    ? `${stdinFlag}: standard input`
    : env === undefined
      ? 'the input'
      : `${envFlag} ${env}: the variable`;
  const refuse = (what: string, cause?: unknown) => new UsageError(`${source} ${what}`, { cause });
  const checked = (secret: string) => {
    check?.(checkDecodedSecret(secret, refuse));
    return secret;
  };
  if (stdin) return checked(decodeSecret(await context.stdin(stdinFlag), refuse));
  if (env !== undefined) return checked(readVariable(env, context.system.env, refuse));
  const options = [stdinFlag, `${envFlag} VAR`, ...(commandFlag ? [`${commandFlag} COMMAND`] : [])];
  const hint = `${why === undefined ? '' : `${why}: `}use ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(options)}`;
  return (await context.prompt()).hidden(prompt, { hint, check: checked });
}
