import type { TransportOptions } from '../transport/attempt.js';
import type { ObservedCall } from './observed-call.js';

/** A call, and the milliseconds from dispatch to the end of its response. */
export interface TimedCall extends ObservedCall {
  readonly milliseconds: number;
  /** Milliseconds since the epoch, by our clock, when the response arrived. */
  readonly arrived: number;
}

/** Reports each complete response, including responses to attempts that are retried. */
export function watchCalls(
  onCall: (call: TimedCall) => void,
  clock: () => number,
): NonNullable<TransportOptions['watch']> {
  return ({ method, path }, { status, body }, { rawHeaders = [], milliseconds }) => {
    const headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
    );
    const request = { method, target: path };
    onCall({ request, status, headers, body, milliseconds, arrived: clock() });
  };
}
