import { setMaxListeners } from 'node:events';

/**
 * Runs `act` with a controller that any of the signals aborts, until it ends. Node.js 20 can garbage-collect the signals
 * of `AbortSignal.any` and `AbortSignal.timeout` before they fire.
 */
export async function underSignals<Result>(
  signals: readonly AbortSignal[],
  act: (cut: AbortController) => Promise<Result>,
): Promise<Result> {
  const cut = new AbortController();
  // Every pending request listens to the same signals, and bulk work has many.
  setMaxListeners(0, ...signals);
  const followed = signals.map((signal) => {
    const onAbort = () => cut.abort(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    return () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await act(cut);
  } finally {
    for (const unfollow of followed) unfollow();
  }
}

/** Rejects with the signal's reason at once, even if the work takes time to notice it, or never ends. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    work.then(resolve, reject);
  });
}
