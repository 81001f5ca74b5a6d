import { helpAskedFor, helpFileName, helpWidth, widestHelp } from './help-page.js';
import { makeStreams } from './terminal/streams.js';
import type { System } from './terminal/system.js';
import { version } from './version.js';

/** Parses and runs command lines; everything but this file is behind it. */
type CommandLine = Pick<typeof import('./command-line.js'), 'runCommandLine'>;

/** Reads a file of the help that the build has made; `undefined` where it cannot. */
type ReadHelp = (fileName: string) => string | undefined;

/**
 * Runs the command line that a process was given, and returns the process's exit code. This is the only composition
 * root: `bin/orgctl.js` hands in the process and the way to load the rest, tests a process in memory.
 */
export async function run(
  system: System,
  load: () => CommandLine | Promise<CommandLine>,
  readHelp: ReadHelp = () => undefined,
): Promise<number> {
  const [, , ...args] = system.argv;
  if (await answeredAtOnce(args, system, readHelp)) return 0;
  const { runCommandLine } = await load();
  return runCommandLine(system, args);
}

/** Answers what needs nothing loaded: scripts ask for the version at every start, and the build has made the help. */
async function answeredAtOnce(args: readonly string[], system: System, readHelp: ReadHelp): Promise<boolean> {
  const isVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
  const command = helpAskedFor(args);
  if (!isVersion && command === undefined) return false;
  const { stdout } = makeStreams(system);
  const text = isVersion ? `${version}\n` : madeHelp(command, stdout.columns, readHelp);
  // What stands in the way of writing it is reported by the command line, which meets it again.
  return text === undefined
    ? false
    : stdout.write(text).then(
        () => true,
        () => false,
      );
}

/** A command's help, where it is shown as wide as the build has made it. */
function madeHelp(command = '', columns: number | undefined, readHelp: ReadHelp): string | undefined {
  return helpWidth(columns) < widestHelp ? undefined : readHelp(helpFileName(command));
}
