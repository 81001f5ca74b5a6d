import {
  boldHeadings,
  hasColor,
  helpAskedFor,
  helpFileName,
  helpWidth,
  widestHelp,
} from './cli/help-page.js';
import { version, versionDetails } from './platform/version.js';
import { makeStreams } from './terminal/output/streams.js';
import type { System } from './terminal/process/system.js';

/** Loaded on demand, with everything that it imports. */
type CommandLine = Pick<typeof import('./command-line.js'), 'runCommandLine'>;

type ReadHelp = (fileName: string) => string | undefined;

/** Runs a process's command line and returns its exit code. The only composition root. */
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

/** Prints the version or a prepared help page without loading the command line; `false` if it printed neither. */
async function answeredAtOnce(args: readonly string[], system: System, readHelp: ReadHelp): Promise<boolean> {
  const versionText = versionAskedFor(args, system);
  const command = helpAskedFor(args);
  if (versionText === undefined && command === undefined) return false;
  const { stdout } = makeStreams(system);
  const help = versionText === undefined ? madeHelp(command, stdout.columns, readHelp) : undefined;
  const text = versionText ?? (help && hasColor(system, stdout) ? boldHeadings(help) : help);
  // After a failed write, the command line writes again and reports the error.
  return text === undefined
    ? false
    : stdout.write(text).then(
        () => true,
        () => false,
      );
}

/** The version, with `-v` including details for bug reports; `undefined` for any other command line. */
function versionAskedFor(args: readonly string[], { argv }: System): string | undefined {
  const further = args.filter((arg) => arg !== '--version' && arg !== '-V');
  if (args.length - further.length !== 1) return undefined;
  if (further.length === 0) return `${version}\n`;
  const isVerbose = further.length === 1 && (further[0] === '-v' || further[0] === '--verbose');
  return isVerbose ? versionDetails(argv, process.version) : undefined;
}

function madeHelp(command = '', columns: number | undefined, readHelp: ReadHelp): string | undefined {
  return helpWidth(columns) < widestHelp ? undefined : readHelp(helpFileName(command));
}
