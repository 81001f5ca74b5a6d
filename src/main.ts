import { helpAskedFor, helpFileName, helpWidth, widestHelp } from './cli/help-text.js';
import { version, versionDetails } from './platform/version.js';
import { makeStreams } from './terminal/output/streams.js';
import type { System } from './terminal/process/system.js';

export { endProcess, toSystem } from './terminal/process/process-system.js';

/** Loaded on demand, with everything that it imports. */
type CommandLine = Pick<typeof import('./command-line.js'), 'runCommandLine'>;

/** Runs a process's command line and returns its exit code. The only composition root. */
export async function run(
  system: System,
  load: () => CommandLine | Promise<CommandLine>,
  readHelp: (fileName: string) => string | undefined = () => undefined,
): Promise<number> {
  const args = system.argv.slice(2);
  const { stdout } = makeStreams(system);
  const command = helpWidth(stdout.columns) < widestHelp ? undefined : helpAskedFor(args);
  const help = command === undefined ? undefined : readHelp(helpFileName(command));
  const text = versionAskedFor(args, system) ?? help;
  // After a failed write, the command line writes again and reports the error.
  const isWritten = text !== undefined && (await stdout.write(text).catch(() => false)) !== false;
  return isWritten ? 0 : (await load()).runCommandLine(system, args);
}

/** The version, with `-v` including details for bug reports; `undefined` for any other command line. */
function versionAskedFor(args: readonly string[], { argv }: System): string | undefined {
  const further = args.filter((arg) => arg !== '--version' && arg !== '-V');
  if (args.length - further.length !== 1) return undefined;
  if (further.length === 0) return `${version}\n`;
  const isVerbose = further.length === 1 && (further[0] === '-v' || further[0] === '--verbose');
  return isVerbose ? versionDetails(argv, process.version) : undefined;
}
