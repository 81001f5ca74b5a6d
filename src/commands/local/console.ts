import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, readMessage, readSystemCode, ServiceError } from '../../errors/errors.js';
import { proxyOption, serverVerb } from './server-verb.js';

export const managementConsole = serverVerb('console', {
  summary: 'print a fresh link to the console, or open it',
  description:
    'Print a link to the management console of the server on this machine. The link works once, within a minute. With --open, orgctl opens the console without a secret in the link, because other users can read the arguments of programs; the page asks for a code that orgctl prints.',
  options: [proxyOption, option('--open', 'open the browser, and print a code to type there')],
  examples: [
    ['orgctl local console --open', 'issue, disable and enable keys, and watch requests'],
    ['orgctl local console -o json --query console -r', 'only the link, for a script'],
  ],
  async run({ control, context }, _args, { open }) {
    if (!open) {
      const link = await control.consoleLink().catch(explainNone);
      return (await context.textPrinter()).prose(link, `${link.console}\n`);
    }
    const invitation = await control.consoleInvitation().catch(explainNone);
    const printer = await context.printer();
    await printer.prose(invitation, `${invitation.console}\ncode: ${invitation.code}\n`);
    await printer.note('the page asks for the code; it works once, within a minute');
    const problem = await openBrowser(invitation.console, context);
    if (problem !== undefined) await printer.note(`${problem}: open the address yourself`);
  },
});

function explainNone(error: unknown): never {
  if (!(error instanceof ServiceError) || error.details.status !== 404) throw error;
  throw new ConfigError('the server on this machine has no management console', {
    hint: 'start it without --no-console, or with --console-port 0 before -- COMMAND',
    cause: error,
  });
}

/** Milliseconds; an opener that runs longer counts as the browser itself. */
const openerPatience = 2000;

/** Other users can read the arguments, so the URL must not contain a secret. @returns why opening it failed */
async function openBrowser(address: string, { system }: Context): Promise<string | undefined> {
  const [program, ...args] =
    system.platform === 'darwin'
      ? (['open'] as const)
      : system.platform === 'win32'
        ? (['rundll32', 'url.dll,FileProtocolHandler'] as const)
        : (['xdg-open'] as const);
  // The browser needs no credentials.
  const env = Object.fromEntries(Object.entries(system.env).filter(([name]) => !name.startsWith('ORGCTL_')));
  const child = spawn(program, [...args, address], { env, detached: true, stdio: 'ignore' });
  child.unref();
  try {
    const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(openerPatience) });
    return code === 0 ? undefined : `${program} failed (exit ${code})`;
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    return `${program} cannot be run (${readSystemCode(error) ?? readMessage(error)})`;
  }
}
