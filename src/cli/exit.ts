import { once } from 'node:events';
import { type ErrorCode, InterruptedError } from '../errors/errors.js';
import type { Context } from './context.js';

/** Scripts depend on each exit code; 0 is success. */
export const exits = {
  internal: [1, 'a bug in orgctl'],
  usage: [2, 'bad flag, argument, file or input; nothing was changed unless the hint says otherwise'],
  config: [3, 'no profile or credential; unusable or conflicting config; unwritten output'],
  unauthenticated: [4, 'the service refused the credential (401)'],
  forbidden: [5, 'refused for a reason other than a quota, such as a disabled key (403)'],
  not_found: [6, 'no such resource or path (404)'],
  quota_exceeded: [7, 'no room in the quota (403, or found before sending)'],
  rate_limited: [8, '429 after all attempts, or Retry-After beyond the deadline'],
  network: [9, 'not delivered (DNS, refused, TLS, proxy), or a GET that timed out or was reset'],
  server: [10, '5xx, a redirect, a response not understood, or a list that may be incomplete'],
  outcome_unknown: [11, 'a POST, PATCH or DELETE may have been carried out, but no response confirms it'],
  partial: [12, 'part of a bulk operation was not done; each entry has a row'],
  threshold: [13, '--fail-over was reached, even if some quotas could not be read'],
  rejected: [14, 'any other 4xx (400, 409, 413, 415, 422 …); a plan that is out of date'],
  changes: [15, 'diff --exit-code: something would change; probe --against: the service differs'],
  hung_up: [129, 'hung up (SIGHUP): the terminal was closed'],
  interrupted: [130, 'interrupted (Ctrl-C), or a question answered no'],
  terminated: [143, 'terminated (SIGTERM)'],
} as const satisfies Readonly<Record<ErrorCode, readonly [exit: number, when: string]>>;

/** Sets the signal's exit code, for a command that should run until a signal. */
export function endBySignal({ signal, exitWith }: Context): void {
  if (signal.reason instanceof InterruptedError) exitWith(exits[signal.reason.code][0]);
}

/** Waits for a signal, or for `stop`. */
export async function waitForEnd(context: Context, stop = context.signal): Promise<void> {
  const end = AbortSignal.any([context.signal, stop]);
  if (!end.aborted) await once(end, 'abort');
  endBySignal(context);
}
