import type { Context } from '../../context.js';
import type { ConnectionInputs } from './connection-file.js';
import { type ConnectionFlags, draftConnection } from './connection-flags.js';
import { isPasswordGiven, readPassword } from './password.js';

/**
 * The one connection that flags describe, with its password.
 *
 * @throws UsageError for flags that describe none, and where no password can be asked for
 */
export async function describedByFlags(
  options: ConnectionFlags & { readonly dryRun?: boolean | undefined },
  context: Pick<Context, 'api' | 'system' | 'stdin' | 'prompt'>,
): Promise<ConnectionInputs> {
  const draft = await draftConnection(options, context);
  // A rehearsal asks for no password and needs no service; for the real thing the service must be known first.
  if (!options.dryRun) await context.api();
  const asks = draft.lacksPassword && (!options.dryRun || isPasswordGiven(options));
  const password = asks ? await readPassword(options, context) : undefined;
  return { inputs: [draft.complete(password)], isList: false };
}
