import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type OpenContext, openContext } from './cli/context.js';
import { globalFlags, readGlobalFlags } from './cli/global-options.js';
import { boldHeadings, hasColor } from './cli/help-page.js';
import { chosenCommand } from './cli/lazy-command.js';
import { findReadableSecret } from './profiles/settings/settings.js';
import { createProgram } from './program.js';
import type { System } from './terminal/process/system.js';

/** Parses and runs one command line. Reports errors on stderr, as text or a JSON line; resolves to the exit code. */
export async function runCommandLine(system: System, args: readonly string[]): Promise<number> {
  let help = '';
  let flags = () => globalFlags(program);
  const context = openContext(
    system,
    () => flags(),
    () => chosenCommand(program),
  );
  let groupHelp = '';
  const program = createProgram(context, (text, isError) => {
    if (isError) groupHelp += text;
    else help += text;
  });
  try {
    await warnOfOpenFiles(context, args);
    await parseCommandLine(program, args).catch(async (error: unknown) => {
      if (!(error instanceof CommanderError)) throw error;
      flags = () => readGlobalFlags(args);
      if (groupHelp !== '' && !(await wantsJsonErrors(context)))
        await context.streams.stderr.write(`${groupHelp}\n`);
      const { toUsageError } = await import('./cli/usage-error.js');
      throw toUsageError(error, program);
    });
    if (help !== '') await context.streams.stdout.write(paintHelp(help, context));
    return context.exitCode();
  } catch (error) {
    // The reader of stdout has closed it, as with `| head`; errors that result from this do not count.
    if (context.streams.closed.aborted) return 0;
    const exitCode = await report(error, context);
    await context.discardTyped();
    return exitCode;
  } finally {
    await context.close();
  }
}

// Ignores the settings, so that help starts fast.
function paintHelp(text: string, { flags, system, streams }: OpenContext): string {
  const { color } = flags();
  if (color === 'never') return text;
  return color === 'always' || hasColor(system, streams.stdout) ? boldHeadings(text) : text;
}

async function warnOfOpenFiles(
  { profiles, system, streams }: OpenContext,
  args: readonly string[],
): Promise<void> {
  const store = profiles();
  const found = [store.permissionsProblem(), store.accessProblem(), findReadableSecret(system.env)];
  for (const problem of found.filter((each) => each !== undefined)) {
    const { messageLine, speaksJson } = await import('./terminal/text/message-line.js');
    const format = readGlobalFlags(args).output ?? system.env['ORGCTL_OUTPUT'];
    await streams.stderr.write(messageLine('warning', problem, speaksJson(format)));
  }
}

/** @throws CommanderError for an invalid command line, or whatever the command throws */
async function parseCommandLine(program: CommandUnknownOpts, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
  }
}

async function report(error: unknown, context: OpenContext): Promise<number> {
  const { errorText } = await import('./cli/error-text.js');
  const { toReport } = await import('./cli/error-report.js');
  const style = {
    json: await wantsJsonErrors(context),
    color: await wantsErrorColor(context),
    verbose: context.flags().verbose === true,
    addOptions: await context.optionAdder(),
  };
  await context.streams.stderr.write(await errorText(error, style));
  return toReport(error).exitCode;
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

async function wantsErrorColor(context: OpenContext): Promise<boolean> {
  const { decideColor: decide } = await import('./terminal/text/color.js');
  try {
    const { value } = context.settings().color();
    return decide(value, context.system.env, context.streams.stderr);
  } catch {
    return false;
  }
}
