import type { System } from '../process/system.js';
import { canBeDirect, DirectOutput } from './direct-output.js';
import { isClosedPipe, type Output, StatusLine, StreamOutput } from './output.js';

export type { Output } from './output.js';

/** The two outputs of a command. Each is opened when it is first asked for. */
export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The line that progress redraws; both outputs erase it before they write to the same terminal. */
  readonly status: StatusLine;
  /**
   * Aborted when the reader of stdout has left, as `| head` does: a command may stop, for nobody reads on. That is
   * no error (contract, section 1, "Output"): the exit code is 0.
   */
  readonly closed: AbortSignal;
}

/** Wraps the outputs of a process. Nothing is opened yet. */
export function makeStreams(system: Pick<System, 'stdout' | 'stderr' | 'stdoutFile'>): Streams {
  const closing = new AbortController();
  const status = new StatusLine(() => system.stderr);
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  const openStdout = (onClosed: () => void) => {
    const open = () => new StreamOutput(system.stdout, status, isClosedPipe, onClosed);
    return canBeDirect(system) ? new DirectOutput(system.stdoutFile, open, onClosed) : open();
  };
  return {
    get stdout() {
      stdout ??= openStdout(() => closing.abort());
      return stdout;
    },
    get stderr() {
      // Where stderr fails there is nowhere left to say so; the command's result must not depend on it.
      stderr ??= new StreamOutput(system.stderr, status, () => true);
      return stderr;
    },
    status,
    closed: closing.signal,
  };
}
