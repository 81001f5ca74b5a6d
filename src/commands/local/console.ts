import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { ConfigError, ServiceError } from '../../errors.js';
import { withExamples } from '../help-text.js';
import type { LocalFlags } from './find-server.js';
import { type ControlContext, withControl, withData } from './with-control.js';

interface ConsoleFlags extends LocalFlags {
  readonly open?: boolean | undefined;
}

/** `orgctl local console` */
export function managementConsole(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Print an address of the management console of the server on this machine. It lets one browser in, once, within a minute.',
      ),
    ).option('--open', 'open it in the browser, too'),
    [
      ['orgctl local console --open', 'issue, disable and enable keys, and watch requests'],
      ['orgctl local console -o json --query console -r', 'the address alone, for a script'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action((flags) => showLink(flags, context));
}

async function showLink(
  flags: ConsoleFlags,
  context: ControlContext & Pick<Context, 'printer' | 'note'>,
): Promise<void> {
  const answer = await withControl(flags, context, (control) => control.consoleLink()).catch((error) => {
    throw isNone(error) ? noConsole(error) : error;
  });
  await (await context.printer()).prose(answer, `${answer.console}\n`);
  if (!flags.open) return;
  const { openBrowser } = await import('./open-browser.js');
  const problem = await openBrowser(answer.console, context.system);
  if (problem !== undefined) await context.note(`${problem}: open the address yourself`);
}

function isNone(error: unknown): boolean {
  return error instanceof ServiceError && error.details.status === 404;
}

function noConsole(cause: unknown): ConfigError {
  return new ConfigError('the server on this machine has no management console', {
    hint: 'start it without --no-console, or with --console-port 0 in front of -- COMMAND',
    cause,
  });
}
