import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from './cli/context.js';
import { addGlobalOptions } from './cli/global-options.js';
import { helpFormat } from './cli/help-format.js';
import { helpWidth } from './cli/help-page.js';
import { type CommandExample, withExamples } from './cli/help-text.js';
import { mountCommands } from './cli/lazy-command.js';
import { version } from './platform/version.js';
import { registry } from './registry.js';

/** The root command, which loads commands on demand. Help goes to `writeHelp`; errors are thrown. */
export function createProgram(
  context: Context,
  writeHelp: (text: string, isError: boolean) => void,
): CommandUnknownOpts {
  const program = new Command('orgctl');
  addGlobalOptions(program);
  program
    .description("Manage an organization's API keys, connections and teams, and show its quotas.")
    .version(
      version,
      '-V, --version',
      'print the version; with -v, also commit, Node.js version and installation',
    )
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    // Only a command itself knows which of its options take a value.
    .enablePositionalOptions()
    .configureHelp(helpFormat(context.streams.stdout.columns))
    .configureOutput({
      writeOut: (text) => writeHelp(text, false),
      writeErr: (text) => writeHelp(text, true),
      outputError: () => undefined,
      // Otherwise, commander would open both outputs to detect their colors and widths.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => helpWidth(context.streams.stdout.columns),
      getErrHelpWidth: () => helpWidth(context.streams.stdout.columns),
    })
    .addHelpText('afterAll', ({ command }) => (command === program ? '' : globalsNote))
    .exitOverride();
  withExamples(program, programExamples);
  mountCommands(program, registry, context);
  return program;
}

const programExamples: readonly CommandExample[] = [
  ['orgctl serve', 'run a stand-in for the service on this machine'],
  ['orgctl quotas', 'in another terminal: show its quotas'],
  ['orgctl profile add prod --base-url https://api.example.com --key-id key_abc', 'add a remote service'],
  ['orgctl help --map', 'all commands on one page'],
];

const globalsNote = '\nGlobal options: orgctl --help';
