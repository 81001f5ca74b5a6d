import { parseQuotaExceeded, proxyRefusalStart } from '../../api/error-message.js';
import { errorMessage } from '../../api/refusal-message.js';
import { type Advice, doctorCommand, quotasCommand, whoamiCommand } from '../../errors/advice.js';
import {
  type ErrorDetails,
  ServiceError,
  type ServiceErrorCode,
  serviceErrorCode,
} from '../../errors/errors.js';
import { redactedTarget } from '../../redaction/redact.js';
import { formatRounded } from '../../text/duration.js';
import { type Answer, readJsonValue, shorten } from '../exchange/exchange.js';
import { changedBy, checkFirst, isChanging, mayShowSecret } from '../exchange/request.js';
import { readErrorTexts, readStatements } from '../reading/error-texts.js';
import { knownForms, parseCount } from '../reading/forms.js';
import { describeAnswer, firstLine, withoutSent } from './decode.js';
import { retryAfterSeconds } from './time-headers.js';

/** Maps a 4xx or 5xx response to an error. @param now the time by our clock, in milliseconds @param keyId for hints */
export function answerError(answer: Answer, now: number, keyId: string, forms = knownForms): ServiceError {
  const { status, called } = answer;
  const statements = readStatements(answer, forms.errors);
  const quota = findExceededQuota(answer, statements);
  const code = quota === undefined ? serviceErrorCode(status) : 'quota_exceeded';
  const retryAfter = retryAfterSeconds(answer, now, forms.waits);
  return new ServiceError(code, describeMessage(answer, forms.errors), {
    ...describeAnswer(answer),
    ...(adviceByStatement(statements, keyId) ?? adviceByCode(code, answer, retryAfter)),
    retryable: code === 'rate_limited' || (code === 'server' && !isChanging(called)),
    retryAfter,
    quota,
  });
}

/** The error for a redirect. None is followed: a signature covers one target, and a credential is for one origin. */
export function redirectError(answer: Answer): ServiceError {
  const { called, status, headers } = answer;
  const location = headers['location'];
  const shown = location && shorten(redactedTarget(withoutSent(answer, String(location))), 300);
  const where = shown === undefined ? '' : `, a redirect to ${shown}`;
  const moved = 'redirects are not followed; if the service has moved, change the base URL';
  const mayBeDone = isChanging(called) && mayFollowChange(status);
  return new ServiceError('server', `${called.method} ${called.target} returned ${status}${where}`, {
    ...describeAnswer(answer),
    ...(mayBeDone ? checkFirst : { hint: moved, next: whoamiCommand }),
    retryable: false,
  });
}

/** Whether services may redirect with this status after making a change. */
export function mayFollowChange(status: number): boolean {
  return status === 302 || status === 303;
}

/** The exceeded quota in a 403: from its message or, for POST with an enabled key, from its headers. */
export function findExceededQuota(
  answer: Answer,
  statements = readStatements(answer),
): ErrorDetails['quota'] | undefined {
  const { status, called, headers } = answer;
  if (status !== 403) return undefined;
  const said = statements.map(parseQuotaExceeded).find((figures) => figures !== undefined);
  const isOther = called.method !== 'POST' || statements.includes(errorMessage.keyDisabled);
  const [limit, used] = [parseCount(headers['x-quota-limit']), parseCount(headers['x-quota-used'])];
  const { kind } = changedBy(called);
  if (said !== undefined || isOther || kind === undefined) return said;
  return limit !== undefined && used !== undefined && used >= limit ? { kind, limit, used } : undefined;
}

/** Characters; enough for a sentence, without flooding a terminal. */
const longestMessage = 500;

/** The JSON message, or the status and first line, without sent secrets. Omits the line if it may hold a new secret. */
function describeMessage(answer: Answer, paths = knownForms.errors): string {
  const message = readErrorTexts(readJsonValue(answer.body), paths)?.text;
  if (message !== undefined) return shorten(withoutSent(answer, message), longestMessage);
  const line = mayShowSecret(answer.called) ? '' : firstLine(answer);
  return `the service returned ${answer.status}${line === '' ? '' : `: ${line}`}`;
}

function adviceByStatement(statements: readonly string[], keyId: string): Advice | undefined {
  return statements.map((text) => adviseOn(text, keyId)).find((advice) => advice !== undefined);
}

function adviseOn(statement: string, keyId: string): Advice | undefined {
  switch (statement) {
    case errorMessage.invalidKey:
      return { hint: 'see which key ID is used and where it comes from', next: whoamiCommand };
    case errorMessage.invalidSecret:
      return { hint: 'see where the secret comes from', next: whoamiCommand };
    case errorMessage.multipleCredentials:
      return { hint: 'remove the second credential: a header that you add, or one that a proxy adds' };
    case errorMessage.invalidSignature: {
      const hint = 'most often the secret does not belong to this key ID; see where both come from';
      return { hint, next: whoamiCommand };
    }
    case errorMessage.invalidTimestamp: {
      const hint = "this machine's clock and the service's differ by more than 5 minutes";
      return { hint: `${hint}; to measure the difference`, next: doctorCommand };
    }
    case errorMessage.keyDisabled: {
      const next = ['orgctl', 'local', 'keys', 'enable', keyId];
      return { hint: 're-enable the key in the management console; on a local server', next };
    }
    default:
      return statement.startsWith(proxyRefusalStart)
        ? { hint: 'orgctl proxy responded, not the service' }
        : undefined;
  }
}

function adviceByCode(code: ServiceErrorCode, { called }: Answer, retryAfter = 0): Advice {
  const { kind, id } = changedBy(called);
  const isKnownPath = id === undefined && (kind !== undefined || called.target.endsWith('/quotas'));
  const asked = formatRounded(1000 * retryAfter);
  const wait = asked === '' ? 'wait before retrying' : `the service asks you to wait ${asked}`;
  switch (code) {
    case 'quota_exceeded':
      return { hint: 'delete a resource to make room; see what is used', next: quotasCommand };
    case 'rate_limited':
      return { hint: `${wait}; the number of retries and the deadline set how long to keep trying` };
    case 'not_found':
      return isKnownPath
        ? { hint: 'check the path and the base URL', next: whoamiCommand }
        : { hint: `check the ID or path: ${called.target}` };
    case 'server':
      return isChanging(called) ? checkFirst : { hint: 'the service failed; try again later' };
    default:
      return {};
  }
}
