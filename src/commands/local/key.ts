import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { ServiceError, withHint } from '../../errors/errors.js';
import { quoteForDotenv } from '../../text/shell-quote.js';
import { adviseIfUnwritten, nothingChanged } from '../../verbs/done-unwritten.js';
import type { LocalFlags } from '../../verbs/local/find-server.js';
import {
  type ControlContext,
  nameServer,
  requireConfirmation,
  withControl,
  withData,
  yesOption,
} from '../../verbs/local/with-control.js';

export function key(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Print the address and CA file of the server on this machine, and the ID and secret of its first enabled key, as lines for a .env file.',
      ),
    ).option(...yesOption),
    [
      ['orgctl local key --yes > .env', 'for a client that reads a .env file'],
      ['orgctl local key --yes --query ORGCTL_SECRET -r', 'only the secret, for a pipe'],
    ],
    { calls: 'control', asks: 'first, unless --yes' },
  ).action((flags) => printKey(flags, context));
}

function adviseAnother(error: unknown): never {
  const issue = ['orgctl', 'local', 'keys', 'issue', '--name', 'ci'];
  const isDeleted = error instanceof ServiceError && error.code === 'not_found';
  throw isDeleted ? withHint(error, { hint: 'issue another', next: issue }) : error;
}

async function printKey(
  { yes, ...flags }: LocalFlags & { readonly yes?: true | undefined },
  context: ControlContext & Pick<Context, 'prompt' | 'textPrinter'>,
): Promise<void> {
  const variables = await withControl(flags, context, async (control, server) => {
    await requireConfirmation(
      `Print the secret of the first enabled key of ${nameServer(server)}?`,
      yes,
      context,
    );
    const { url, caFile } = await control.status();
    const { keyId, secret } = await control.keys.first().catch(adviseAnother);
    return {
      ORGCTL_BASE_URL: url,
      ORGCTL_KEY_ID: keyId,
      ORGCTL_SECRET: secret,
      ...(caFile !== undefined && { ORGCTL_CA_FILE: caFile }),
    };
  });
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoteForDotenv(value)}\n`);
  const printing = context.textPrinter().then((printer) => printer.prose(variables, lines.join('')));
  await adviseIfUnwritten(printing, nothingChanged);
}
