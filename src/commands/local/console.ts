import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import type { ControlClient } from '../../client/control-client.js';
import { ConfigError, ServiceError } from '../../errors/errors.js';
import type { LocalFlags } from '../../verbs/local/find-server.js';
import { type ControlContext, withControl, withProxy } from '../../verbs/local/with-control.js';

interface ConsoleFlags extends LocalFlags {
  readonly open?: boolean | undefined;
}

export function managementConsole(command: Command, context: Context): void {
  withExamples(
    withProxy(
      command.description(
        'Print a link to the management console of the server on this machine. The link works once, within a minute. With --open, orgctl opens the console without a secret in the link, because other users can read the arguments of programs; the page asks for a code that orgctl prints.',
      ),
    ).option('--open', 'open the browser, and print a code to type there'),
    [
      ['orgctl local console --open', 'issue, disable and enable keys, and watch requests'],
      ['orgctl local console -o json --query console -r', 'only the link, for a script'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action((flags) => showConsole(flags, context));
}

type ConsoleContext = ControlContext & Pick<Context, 'printer' | 'textPrinter'>;

async function showConsole({ open, ...flags }: ConsoleFlags, context: ConsoleContext): Promise<void> {
  if (open) return openInBrowser(flags, context);
  const answer = await askControl(flags, context, (control) => control.consoleLink());
  await (await context.textPrinter()).prose(answer, `${answer.console}\n`);
}

async function openInBrowser(flags: LocalFlags, context: ConsoleContext): Promise<void> {
  const answer = await askControl(flags, context, (control) => control.consoleInvitation());
  const printer = await context.printer();
  await printer.prose(answer, `${answer.console}\ncode: ${answer.code}\n`);
  await printer.note('the page asks for the code; it works once, within a minute');
  const { openBrowser } = await import('../../verbs/local/open-browser.js');
  const problem = await openBrowser(answer.console, context.system);
  if (problem !== undefined) await printer.note(`${problem}: open the address yourself`);
}

function askControl<Answer>(
  flags: LocalFlags,
  context: ControlContext,
  act: (control: ControlClient) => Promise<Answer>,
): Promise<Answer> {
  return withControl(flags, context, act).catch((error: unknown) => {
    throw isNone(error) ? noConsole(error) : error;
  });
}

function isNone(error: unknown): boolean {
  return error instanceof ServiceError && error.details.status === 404;
}

function noConsole(cause: unknown): ConfigError {
  return new ConfigError('the server on this machine has no management console', {
    hint: 'start it without --no-console, or with --console-port 0 before -- COMMAND',
    cause,
  });
}
