import { fstatSync, writeSync } from 'node:fs';
import { helpAskedFor, helpFileName, helpWidth, widestHelp } from './cli/help-text.js';
import { version, versionDetails } from './platform/version.js';
import { makeStreams } from './terminal/output/streams.js';
import type { System } from './terminal/process/system.js';

export { endProcess, toSystem } from './terminal/process/system.js';

/** Loaded on demand, with everything that it imports. */
type CommandLine = Pick<typeof import('./command-line.js'), 'runCommandLine'>;

/** Runs a process's command line and returns its exit code. The only composition root. */
export async function run(
  system: System,
  load: () => CommandLine | Promise<CommandLine>,
  readHelp: (fileName: string) => string | undefined = () => undefined,
): Promise<number> {
  const args = system.argv.slice(2);
  const command = isNarrow(system) ? undefined : helpAskedFor(args);
  const help = command === undefined ? undefined : readHelp(helpFileName(command));
  const text = versionAskedFor(args, system) ?? help;
  // After a failed write, `runCommandLine` writes again and reports the error.
  const isWritten = text !== undefined && (await write(text, system).catch(() => false)) !== false;
  return isWritten ? 0 : (await load()).runCommandLine(system, args);
}

// Opening stdout takes longer than all else here, so the next two functions open it only if needed.

/** Whether prepared help is too wide for the terminal. */
function isNarrow(system: System): boolean {
  const { stdoutFile } = system;
  if (stdoutFile !== undefined && !fstatSync(stdoutFile).isCharacterDevice()) return false;
  return helpWidth(makeStreams(system).stdout.columns) < widestHelp;
}

async function write(text: string, system: System): Promise<void> {
  const { stdoutFile } = system;
  let rest: Uint8Array = Buffer.from(text);
  try {
    while (stdoutFile !== undefined && rest.length > 0) rest = rest.subarray(writeSync(stdoutFile, rest));
  } catch {
    // The stream below waits while a pipe is full, and reports other errors.
  }
  if (rest.length > 0) await makeStreams(system).stdout.write(rest);
}

/** The text of `--version` (with `-v`, more for bug reports); `undefined` for any other command line. */
function versionAskedFor(args: readonly string[], { argv }: System): string | undefined {
  const further = args.filter((arg) => arg !== '--version' && arg !== '-V');
  if (args.length - further.length !== 1) return undefined;
  if (further.length === 0) return `${version}\n`;
  const isVerbose = further.length === 1 && (further[0] === '-v' || further[0] === '--verbose');
  return isVerbose ? versionDetails(argv, process.version) : undefined;
}
