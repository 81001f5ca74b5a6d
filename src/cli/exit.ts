import type { ErrorCode } from '../errors/errors.js';

/** Scripts depend on each exit code; 0 is success. */
export const exitCodes: Readonly<Record<ErrorCode, number>> = {
  internal: 1,
  usage: 2,
  config: 3,
  unauthenticated: 4,
  forbidden: 5,
  not_found: 6,
  quota_exceeded: 7,
  rate_limited: 8,
  network: 9,
  server: 10,
  outcome_unknown: 11,
  partial: 12,
  threshold: 13,
  rejected: 14,
  changes: 15,
  hung_up: 129,
  interrupted: 130,
  terminated: 143,
};

export const exitCodeMeanings: readonly (readonly [ErrorCode | undefined, string])[] = [
  [undefined, 'done'],
  ['internal', 'a bug in orgctl'],
  ['usage', 'bad flag, argument, file or input; nothing was changed unless the hint says otherwise'],
  ['config', 'no profile, no credential, unreadable or unsafe config, conflicting sources'],
  ['unauthenticated', 'the service refused the credential (401)'],
  ['forbidden', 'refused for a reason other than a quota, such as a disabled key (403)'],
  ['not_found', 'no such resource or path (404)'],
  [
    'quota_exceeded',
    'no room in the quota (403, or found before sending); the error says kind, limit and used',
  ],
  ['rate_limited', '429 after all attempts, or Retry-After beyond the deadline'],
  ['network', 'not delivered (DNS, refused, TLS, proxy), or a GET that timed out or was reset'],
  ['server', '5xx, a redirect, a response that orgctl does not understand, or a list that may be incomplete'],
  ['outcome_unknown', 'a POST, PATCH or DELETE may have been delivered, but no complete response came'],
  ['partial', 'part of a bulk operation was not done; each entry has a row'],
  ['threshold', '--fail-over was reached'],
  ['rejected', 'any other 4xx (400, 409, 413, 415, 422 …); a plan that is out of date'],
  ['changes', 'diff --exit-code: something would change; probe --against: the service differs'],
  ['hung_up', 'hung up (SIGHUP): the terminal was closed'],
  ['interrupted', 'interrupted (Ctrl-C), or a question answered no'],
  ['terminated', 'terminated (SIGTERM)'],
];
