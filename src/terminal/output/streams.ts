import type { System } from '../process/system.js';
import { canBeDirect, DirectOutput } from './direct-output.js';
import { isClosedPipe, type Output, StatusLine, StreamOutput } from './output.js';

export type { Output } from './output.js';

export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The progress line; stdout and stderr erase it before they write to a terminal. */
  readonly status: StatusLine;
  /** Aborted when stdout's reader closes, as `| head` does. The command may then stop, with exit code 0. */
  readonly closed: AbortSignal;
  /** Prevents `closed` from being aborted: changes that have begun are completed even without a reader. */
  outlastReader(): void;
}

export function makeStreams(system: Pick<System, 'stdout' | 'stderr' | 'stdoutFile'>): Streams {
  const closing = new AbortController();
  let outlasts = false;
  const status = new StatusLine(() => system.stderr);
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  const openStdout = (onClosed: () => void) => {
    const open = () => new StreamOutput(system.stdout, status, isClosedPipe, onClosed);
    return canBeDirect(system) ? new DirectOutput(system.stdoutFile, open, onClosed) : open();
  };
  return {
    get stdout() {
      stdout ??= openStdout(() => {
        if (!outlasts) closing.abort();
      });
      return stdout;
    },
    get stderr() {
      // A failure of stderr cannot be reported, and must not affect the result.
      stderr ??= new StreamOutput(system.stderr, status, () => true);
      return stderr;
    },
    status,
    closed: closing.signal,
    outlastReader: () => {
      outlasts = true;
    },
  };
}
