import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from './cli/context.js';
import { addGlobalOptions, globalFlags, readGlobalFlags } from './cli/global-options.js';
import { helpFormat } from './cli/help-format.js';
import { boldHeadings, hasColor, helpWidth } from './cli/help-page.js';
import { type CommandExample, withExamples } from './cli/help-text.js';
import { chosenCommand, mountCommands } from './cli/lazy-command.js';
import { type OpenContext, openContext } from './cli/open-context.js';
import { version } from './platform/version.js';
import { findReadableSecret } from './profiles/settings/settings.js';
import { registry } from './registry.js';
import type { System } from './terminal/process/system.js';

/** Parses and runs one command line. Reports errors on stderr, as text or a JSON line; resolves to the exit code. */
export async function runCommandLine(system: System, args: readonly string[]): Promise<number> {
  const help = { asked: '', ofGroup: '' };
  let flags = () => globalFlags(program);
  const context = openContext(
    system,
    () => flags(),
    () => chosenCommand(program),
  );
  const program = createProgram(context, (text, isError) => {
    help[isError ? 'ofGroup' : 'asked'] += text;
  });
  try {
    await warnOfOpenFiles(context, args);
    await parse(program, args).catch(async (error: unknown) => {
      if (!(error instanceof CommanderError)) throw error;
      flags = () => readGlobalFlags(args);
      if (help.ofGroup !== '' && !(await wantsJsonErrors(context)))
        await context.streams.stderr.write(`${help.ofGroup}\n`);
      throw (await import('./cli/usage-error.js')).toUsageError(error, program);
    });
    if (help.asked !== '') await context.streams.stdout.write(paintHelp(help.asked, context));
    return context.exitCode();
  } catch (error) {
    // The reader of stdout has closed it, as with `| head`; errors that result from this do not count.
    if (context.streams.closed.aborted) return 0;
    return await report(error, context);
  } finally {
    await context.close();
  }
}

/** @throws CommanderError for an invalid command line, or whatever the command throws */
async function parse(program: CommandUnknownOpts, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
}

// Ignores the settings, so that help starts fast.
function paintHelp(text: string, { flags, system, streams }: OpenContext): string {
  const { color } = flags();
  const isBold = color === 'always' || (color !== 'never' && hasColor(system, streams.stdout));
  return isBold ? boldHeadings(text) : text;
}

async function warnOfOpenFiles(context: OpenContext, args: readonly string[]): Promise<void> {
  const { profiles, system, streams } = context;
  const store = profiles();
  for (const problem of [store.permissionsProblem(), store.accessProblem(), findReadableSecret(system.env)]) {
    if (problem === undefined) continue;
    const { messageLine, speaksJson } = await import('./terminal/text/message-line.js');
    const format = readGlobalFlags(args).output ?? system.env['ORGCTL_OUTPUT'];
    await streams.stderr.write(messageLine('warning', problem, speaksJson(format)));
  }
}

async function report(error: unknown, context: OpenContext): Promise<number> {
  const { errorText, toReport } = await import('./cli/error-report.js');
  const reported = toReport(error, await context.optionAdder());
  const style = {
    json: await wantsJsonErrors(context),
    color: await wantsErrorColor(context),
    verbose: context.flags().verbose === true,
  };
  await context.streams.stderr.write(await errorText(error, reported, style));
  return reported.exitCode;
}

// A bad output setting must not hide the error. JSON implied by --query does not apply to errors on a terminal.
async function wantsJsonErrors({ settings, streams }: OpenContext): Promise<boolean> {
  try {
    const { value, source } = await settings().output();
    if (source.name === '--query' && streams.stderr.isTerminal) return false;
    return value === 'json' || value === 'jsonl';
  } catch {
    return false;
  }
}

async function wantsErrorColor({ settings, system, streams }: OpenContext): Promise<boolean> {
  const { decideColor } = await import('./terminal/text/color.js');
  try {
    return decideColor(settings().color().value, system.env, streams.stderr);
  } catch {
    return false;
  }
}

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
