import { CommanderError } from '@commander-js/extra-typings';
import { type OpenContext, openContext } from './context.js';
import { OrgctlError } from './errors.js';
import { reportOf } from './exit.js';
import type { Flags } from './profiles/settings.js';
import { createProgram, usageErrorOf } from './program.js';
import type { System } from './terminal/system.js';

/**
 * Parses and runs one command line. Everything that a command throws ends here, in one place: as text or a JSON line
 * on stderr, and as the exit code that is returned.
 */
export async function runCommandLine(system: System, args: readonly string[]): Promise<number> {
  let flags: () => Flags = () => ({});
  const context = openContext(system, () => flags());
  const program = createProgram(context);
  flags = () => program.opts();
  try {
    await warnOfOpenFiles(context);
    // Nothing typed is a question, not a mistake.
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return context.exitCode();
  } catch (error) {
    // The reader of stdout has left, as `| head` does: what broke off because of it is no error.
    return context.streams.closed.aborted ? 0 : await report(error, context);
  } finally {
    await context.close();
  }
}

// Said by every command (contract, section 1), and before its own output, where it is seen.
async function warnOfOpenFiles(context: OpenContext): Promise<void> {
  const problem = await context.profiles().permissionsProblem();
  if (problem !== undefined) await context.streams.stderr.write(`warning: ${problem}\n`);
}

async function report(thrown: unknown, context: OpenContext): Promise<number> {
  const error = thrown instanceof CommanderError ? usageErrorOf(thrown) : thrown;
  if (error === undefined) return 0;
  const { errorText } = await import('./error-text.js');
  const style = {
    json: await wantsJson(context),
    color: await wantsColor(context),
    verbose: context.flags().verbose === true,
  };
  await context.streams.stderr.write(await errorText(error, style));
  return reportOf(error).exitCode;
}

/** Whether errors are for scripts. Where that cannot be resolved, the error to be shown is about to say so itself. */
async function wantsJson(context: OpenContext): Promise<boolean> {
  try {
    const { value } = await context.settings().output();
    return value === 'json' || value === 'jsonl';
  } catch (error) {
    if (error instanceof OrgctlError) return false;
    throw error;
  }
}

async function wantsColor(context: OpenContext): Promise<boolean> {
  const { wantsColor: decide } = await import('./terminal/color.js');
  try {
    const { value } = context.settings().color();
    return decide(value, context.system.env, context.streams.stderr);
  } catch (error) {
    if (error instanceof OrgctlError) return false;
    throw error;
  }
}
