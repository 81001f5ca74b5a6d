import { errorBodySchema, errorMessage, parseQuotaExceeded } from '../contract/error-message.js';
import { type ErrorDetails, ServiceError, type ServiceErrorCode } from '../errors.js';
import { firstLine, parseJson } from './decode.js';
import type { Answer, Called } from './exchange.js';

// The statuses of a service that is not there just now; on GET the contract repeats them (section 3).
const passing = new Set([502, 503, 504]);

/** Turns an answer of status 4xx or 5xx into the error that the contract has for it. */
export function answerError(answer: Answer, called: Called): ServiceError {
  const message = messageOfAnswer(answer);
  const quota = answer.status === 403 ? parseQuotaExceeded(message) : undefined;
  const code = quota === undefined ? codeOf(answer.status) : 'quota_exceeded';
  return new ServiceError(code, message, {
    ...detailsOf(answer, called),
    hint: hintFor(code, message, called),
    retryable: code === 'rate_limited' || (called.method === 'GET' && passing.has(answer.status)),
    retryAfter: retryAfterSeconds(answer),
    quota,
  });
}

/** A redirect is never followed: the signature covers the target, and the credential is for this origin alone. */
export function redirectError(answer: Answer, called: Called): ServiceError {
  const location = answer.headers['location'] ?? 'no Location header';
  return new ServiceError(
    'server',
    `${called.method} ${called.target} was answered with a redirect (${answer.status}) to ${location}`,
    {
      ...detailsOf(answer, called),
      hint: 'redirects are not followed; if the service has moved, give its address with --base-url',
      retryable: false,
    },
  );
}

function detailsOf(answer: Answer, called: Called): ErrorDetails {
  return { status: answer.status, method: called.method, path: called.target };
}

/** What an answer says went wrong: the message of its body, or the body's first line. */
export function messageOfAnswer(answer: Answer): string {
  const body = errorBodySchema.safeParse(parseJson(answer.body));
  if (body.success && body.data.message) return body.data.message;
  const line = firstLine(answer.body);
  return line === ''
    ? `the service answered ${answer.status}`
    : `the service answered ${answer.status}: ${line}`;
}

function codeOf(status: number): ServiceErrorCode {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server' : 'rejected';
}

const hintByMessage: Readonly<Record<string, string>> = {
  [errorMessage.invalidKey]: 'see which key ID is used and where it comes from: orgctl whoami',
  [errorMessage.invalidSecret]: 'see where the secret comes from: orgctl whoami',
  [errorMessage.invalidSignature]:
    'most often the secret is not the one of this key ID: orgctl whoami shows where both come from',
  [errorMessage.invalidTimestamp]:
    'the clocks of this machine and of the service differ by more than 5 minutes',
  [errorMessage.keyDisabled]: 'a disabled key is enabled again in the management console',
};

function hintFor(code: ServiceErrorCode, message: string, called: Called): string | undefined {
  const known = hintByMessage[message];
  if (known !== undefined) return known;
  if (code === 'quota_exceeded')
    return 'see what is used: orgctl quotas; deleting a resource frees its place';
  if (code === 'rate_limited')
    return 'wait before the next try; --retries and --deadline say how long to go on';
  if (code === 'not_found') return `check the ID or path: ${called.target}`;
  if (code === 'server') return 'the fault is on the service side; try again later';
  return undefined;
}

/** Seconds of `Retry-After`, given as seconds or as a date (RFC 9110, section 10.2.3); never negative. */
export function retryAfterSeconds(answer: Answer): number | undefined {
  const header = answer.headers['retry-after'];
  if (typeof header !== 'string') return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  if (Number.isNaN(date)) return undefined;
  // The service's own clock, where it tells it: ours may be ahead or behind.
  const sent = Date.parse(String(answer.headers['date']));
  return Math.max(0, Math.ceil((date - (Number.isNaN(sent) ? Date.now() : sent)) / 1000));
}
