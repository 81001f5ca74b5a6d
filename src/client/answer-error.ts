import { errorMessage, parseQuotaExceeded } from '../contract/error-message.js';
import {
  type Advice,
  advise,
  type ErrorDetails,
  ServiceError,
  type ServiceErrorCode,
  serviceErrorCode,
} from '../errors.js';
import { redactedTarget } from '../redaction/redact.js';
import { messageOfAnswer, statementOf } from './answer-message.js';
import type { Answer } from './exchange.js';
import { shortened } from './json-body.js';
import { isChanging, lookingCommand, whoami } from './request.js';
import { passingStatuses } from './retry.js';
import { retryAfterSeconds } from './time-headers.js';

/** A service error with the answer that it stands for; the answer is not shown where errors are inspected. */
export class AnsweredError extends ServiceError {
  readonly #answer: Answer;

  constructor(code: ServiceErrorCode, message: string, details: ErrorDetails, answer: Answer) {
    super(code, message, details);
    this.name = ServiceError.name;
    this.#answer = answer;
  }

  get answer(): Answer {
    return this.#answer;
  }
}

/**
 * Turns an answer of status 4xx or 5xx into the error that the contract has for it.
 *
 * @param now our clock, in milliseconds since the epoch
 * @param keyId the key that the request was made with
 */
export function answerError(answer: Answer, now: number, keyId = 'ID'): AnsweredError {
  const { status, called } = answer;
  const statement = statementOf(answer);
  const quota = status === 403 && statement !== undefined ? parseQuotaExceeded(statement) : undefined;
  const code = quota === undefined ? serviceErrorCode(status) : 'quota_exceeded';
  const retryAfter = retryAfterSeconds(answer, now);
  const details = {
    ...detailsOf(answer),
    ...(adviceByStatement(statement, keyId) ?? adviceByCode(code, answer, retryAfter)),
    retryable: code === 'rate_limited' || (called.method === 'GET' && passingStatuses.has(status)),
    retryAfter,
    quota,
  };
  return new AnsweredError(code, messageOfAnswer(answer), details, answer);
}

/** A status of 3xx. No redirect is followed: a signature covers its target, and a credential is for its origin alone. */
export function redirectError(answer: Answer): AnsweredError {
  const { called, status, headers } = answer;
  const location = headers['location'];
  const where =
    location === undefined ? '' : `, a redirect to ${shortened(redactedTarget(String(location)), 300)}`;
  const details = {
    ...detailsOf(answer),
    hint: 'redirects are not followed; if the service has moved, give its address with --base-url',
    retryable: false,
  };
  return new AnsweredError(
    'server',
    `${called.method} ${called.target} was answered ${status}${where}`,
    details,
    answer,
  );
}

function detailsOf({ status, called }: Answer): ErrorDetails {
  return { status, method: called.method, path: called.target };
}

function adviceByStatement(statement: string | undefined, keyId: string): Advice | undefined {
  if (statement !== errorMessage.keyDisabled) return adviceByMessage.get(statement ?? '');
  return advise(
    ['orgctl', 'local', 'keys', 'enable', keyId],
    (command) =>
      `a disabled key is enabled again in the management console; on a server of this machine: ${command}`,
  );
}

// A map, not an object: the message is the service's, and `constructor` is no hint.
const adviceByMessage: ReadonlyMap<string, Advice> = new Map([
  [
    errorMessage.invalidKey,
    advise(whoami, (command) => `see which key ID is used and where it comes from: ${command}`),
  ],
  [errorMessage.invalidSecret, advise(whoami, (command) => `see where the secret comes from: ${command}`)],
  [
    errorMessage.invalidSignature,
    advise(
      whoami,
      (command) =>
        `most often the secret is not the one of this key ID: ${command} shows where both come from`,
    ),
  ],
  [
    errorMessage.invalidTimestamp,
    advise(
      ['orgctl', 'doctor'],
      (command) =>
        `the clocks of this machine and of the service differ by more than 5 minutes: ${command} measures it`,
    ),
  ],
]);

function adviceByCode(
  code: ServiceErrorCode,
  { called, status }: Answer,
  retryAfter: number | undefined,
): Advice {
  if (code === 'quota_exceeded') {
    return advise(
      ['orgctl', 'quotas'],
      (command) => `see what is used: ${command}; deleting a resource frees its place`,
    );
  }
  if (code === 'rate_limited') return { hint: rateLimitHint(retryAfter) };
  if (code === 'not_found') return { hint: `check the ID or path: ${called.target}` };
  if (code !== 'server') return {};
  if (!isChanging(called) || !passingStatuses.has(status)) {
    return { hint: 'the fault is on the service side; try again later' };
  }
  return advise(
    lookingCommand(called),
    (command) => `it may have been carried out; look before you repeat it: ${command}`,
  );
}

function rateLimitHint(retryAfter: number | undefined): string {
  return retryAfter === undefined
    ? 'wait before the next try; --retries and --deadline say how long to go on'
    : `the service asks to wait ${retryAfter} s; --deadline says how long orgctl may wait`;
}
