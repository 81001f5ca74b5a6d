import type { System } from './terminal/system.js';
import { version } from './version.js';

/**
 * Runs the command line that a process was given, and returns the process's exit code. This is the only composition
 * root: `bin/orgctl.js` hands in `process`, tests a process in memory.
 */
export async function run(system: System): Promise<number> {
  const [, , ...args] = system.argv;
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    // Asked by scripts at every start, so it is answered before anything is loaded.
    system.stdout.write(`${version}\n`);
    return 0;
  }
  const { runCommandLine } = await import('./command-line.js');
  return runCommandLine(system, args);
}
