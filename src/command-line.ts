import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from './cli/context.js';
import { addGlobalOptions, globalFlags, readGlobalFlags } from './cli/global-options.js';
import { helpFormat } from './cli/help-format.js';
import { type CommandExample, helpWidth, withExamples } from './cli/help-text.js';
import { chosenCommand, mountCommands, toUsageError } from './cli/lazy-command.js';
import { openContext } from './cli/open-context.js';
import { version } from './platform/version.js';
import { registry } from './registry.js';
import type { System } from './terminal/process/system.js';

/** Parses and runs one command line. Reports errors on stderr, as text or a JSON line; resolves to the exit code. */
export async function runCommandLine(system: System, args: readonly string[]): Promise<number> {
  const help: string[] = [];
  let flags = () => globalFlags(program);
  const typed = () => chosenCommand(program);
  const context = openContext(system, () => flags(), typed);
  const { streams } = context;
  const program = createProgram(context, (text) => void help.push(text));
  const explain = async (error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    flags = () => readGlobalFlags(args);
    throw toUsageError(error, program);
  };
  try {
    await warnOfOpenFiles(context, args);
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' }).catch(explain);
    if (help.length > 0) await streams.stdout.write(help.join(''));
    return context.exitCode();
  } catch (error) {
    // The reader of stdout has closed it, as with `| head`; errors that result from this do not count.
    if (streams.closed.aborted) return 0;
    return await report(error, context);
  } finally {
    await context.close();
  }
}

async function warnOfOpenFiles({ profiles, system, streams }: Context, args: readonly string[]) {
  const store = profiles();
  for (const problem of [store.permissionsProblem(), store.secretFileProblem()]) {
    if (problem === undefined) continue;
    const { messageLine, speaksJson } = await import('./terminal/text/sanitize.js');
    const format = readGlobalFlags(args).output ?? system.env['ORGCTL_OUTPUT'];
    await streams.stderr.write(messageLine('warning', problem, speaksJson(format)));
  }
}

async function report(error: unknown, context: Context): Promise<number> {
  const { errorText, toReport } = await import('./cli/error-report.js');
  const { decideColor } = await import('./terminal/text/color.js');
  const { settings, system, streams, flags, optionAdder } = context;
  const reported = toReport(error, await optionAdder());
  // A bad setting must not hide the error.
  const unlessBad = (asked: Promise<boolean>) => asked.catch(() => false);
  const isData = async () => {
    const { value, source } = await settings().output();
    // JSON implied by --query does not apply to errors on a terminal.
    return /^jsonl?$/.test(value) && (source.name !== '--query' || !streams.stderr.isTerminal);
  };
  const inColor = async () => decideColor(settings().color().value, system.env, streams.stderr);
  const style = { json: await unlessBad(isData()), color: await unlessBad(inColor()) };
  const text = await errorText(error, reported, { ...style, verbose: flags().verbose === true });
  await streams.stderr.write(text);
  return reported.exitCode;
}

/** The root command, which loads commands on demand. Errors are thrown. */
export function createProgram(context: Context, writeOut: (text: string) => void): CommandUnknownOpts {
  const program = new Command('orgctl');
  const width = () => helpWidth(context.streams.stdout.columns);
  addGlobalOptions(program);
  program
    .description("Manage an organization's API keys, connections and teams, and show its quotas.")
    .version(version, '-V, --version', 'print the version; with -v, more about the installation')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    // Only a subcommand knows which of the options after it take a value.
    .enablePositionalOptions()
    .configureHelp(helpFormat(context.streams.stdout.columns))
    .configureOutput({
      ...{ writeOut, writeErr: () => undefined, outputError: () => undefined },
      // Otherwise, commander would open both outputs to detect their colors and widths.
      ...{ getOutHasColors: () => false, getErrHasColors: () => false },
      ...{ getOutHelpWidth: width, getErrHelpWidth: width },
    })
    .addHelpText('afterAll', ({ command }) => (command === program ? '' : '\nGlobal options: orgctl --help'))
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
