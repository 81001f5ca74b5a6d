import { once } from '../../platform/once.js';
import type { System } from '../process/system.js';
import { type Output, StatusLine, StreamOutput } from './output.js';

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
  const onClosed = () => {
    if (!outlasts) closing.abort();
  };
  const openOut = () => system.stdout;
  const stdout = once(() => new StreamOutput({ open: openOut, file: system.stdoutFile, status, onClosed }));
  // A failure of stderr cannot be reported, and must not affect the result.
  const stderr = once(() => new StreamOutput({ open: () => system.stderr, status }));
  return {
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    status,
    closed: closing.signal,
    outlastReader: () => {
      outlasts = true;
    },
  };
}
