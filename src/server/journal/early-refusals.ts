import type { IncomingMessage } from 'node:http';
import { isServiceTarget } from '../pipeline/service-target.js';
import type { Recorder } from './recorder.js';
import { unreadable, unrouted } from './unrouted.js';

export interface EarlyRefusalOptions {
  readonly recorder: Recorder;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Told of what is refused before the service has looked at it, and why. */
export interface EarlyRefusals {
  readonly ofRequest: (request: IncomingMessage, status: number, reason: string) => void;
  readonly ofBrokenRequest: (status: number, reason: string) => void;
}

/** Notes them in journal and log, as the service's own refusals are. */
export function earlyRefusals({ recorder, clock }: EarlyRefusalOptions): EarlyRefusals {
  const circumstances = (status: number) => ({ time: clock(), status, milliseconds: 0 });
  return {
    ofRequest(request, status, message) {
      if (!isServiceTarget(request.url ?? '/')) return;
      recorder.record(unrouted(request, circumstances(status)), { check: 'request', message });
    },
    ofBrokenRequest(status, message) {
      recorder.record(unreadable(circumstances(status)), { check: 'request', message });
    },
  };
}
