import { makeStreams } from './terminal/streams.js';
import type { System } from './terminal/system.js';
import { version } from './version.js';

/** Parses and runs command lines; everything but this file is behind it. */
type CommandLine = Pick<typeof import('./command-line.js'), 'runCommandLine'>;

/**
 * Runs the command line that a process was given, and returns the process's exit code. This is the only composition
 * root: `bin/orgctl.js` hands in the process and the way to load the rest, tests a process in memory.
 */
export async function run(system: System, load: () => CommandLine | Promise<CommandLine>): Promise<number> {
  const [, , ...args] = system.argv;
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    // Asked by scripts at every start, so it is answered before anything is loaded.
    const isWritten = await makeStreams(system)
      .stdout.write(`${version}\n`)
      .then(
        () => true,
        () => false,
      );
    // What stands in the way is reported by the command line, which meets it again.
    if (isWritten) return 0;
  }
  const { runCommandLine } = await load();
  return runCommandLine(system, args);
}
