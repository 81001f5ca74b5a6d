import { isResource, type Resource } from '../../api/resources/resource.js';
import { ExactNumber } from '../../text/exact-number.js';
import type { Answer } from '../exchange/exchange.js';
import { readJsonValue, shorten } from '../exchange/json-body.js';
import { type Called, isChanging, mayShowSecret } from '../exchange/request.js';
import { readErrorTexts } from '../reading/error-texts.js';
import { pickField } from '../reading/fields.js';
import { knownForms } from '../reading/forms.js';
import { isPage, misfitError, unexpectedAnswer } from './decode.js';
import { withoutSent } from './hide-sent.js';

/**
 * Refuses a body that reports a failure, whatever the status.
 * @param isOwn whether a body is the resource itself, which may have fields `error` and `status` of its own
 * @throws ServiceError `server`
 */
export function assertSucceeded(
  answer: Answer,
  value: unknown,
  isOwn: (body: Resource) => boolean = () => false,
): void {
  if (!isResource(value)) return;
  const field = findFailure(value, { isOwn: isOwn(value), called: answer.called });
  if (field === undefined) return;
  const text = mayShowSecret(answer.called) ? undefined : readErrorTexts(value, knownForms.errors)?.text;
  const said = text === undefined ? `field "${field}"` : shorten(withoutSent(answer, text), longestReport);
  throw unexpectedAnswer(answer, `reports a failure: ${said}`);
}

/** @throws ServiceError `server` for a reported failure and, unless forms are pinned, for any status other than 200 */
export function assertListed(answer: Answer, value: unknown, isPinned: boolean): void {
  // A service may send pages with 206; pinned forms then say how the list ends.
  if (answer.status !== 200 && !isPinned) {
    throw misfitError(answer, `returned ${answer.status}, which is not the status of a list`);
  }
  assertSucceeded(answer, value);
}

/** @throws ServiceError `server` if the response to a DELETE is a web page, or reports failure or partial success */
export function assertDeleted(answer: Answer, isOwn: (body: Resource) => boolean): void {
  assertDone(answer);
  if (isPage(answer)) throw unexpectedAnswer(answer, 'is a web page');
  const value = readJsonValue(answer.body);
  if (value === false) throw unexpectedAnswer(answer, 'reports a failure: false');
  assertSucceeded(answer, value, isOwn);
}

/** Whether the body of a response to DELETE confirms the deletion. */
export function confirmsDeletion(value: unknown): boolean {
  if (!isResource(value)) return false;
  return ['success', 'ok', ...deletionCounts].some((name) => {
    const said = pickField(value, name);
    return said === true || (typeof said === 'number' && said > 0);
  });
}

/** @throws ServiceError `server` for a status that may mean partial success, such as 206 and 207 */
export function assertDone(answer: Answer): void {
  if (doneStatuses.has(answer.status)) return;
  throw misfitError(answer, `returned ${answer.status}, which may mean that only part of it was done`);
}

const longestReport = 500;
const errorFields = ['error', 'errors', 'error_message', 'errorMessage'];
const deletionCounts = ['deleted', 'affected', 'deletedCount'];
const doneStatuses = new Set([200, 201, 202, 203, 204, 205]);
const failedStatuses = new Set<unknown>(['error', 'fail', 'failed', 'failure']);

interface Expected {
  readonly called: Called;
  readonly isOwn: boolean;
}

/** The field that says that the request failed; `undefined` if there is none. */
export function findFailure(body: Resource, { called, isOwn }: Expected): string | undefined {
  // A resource may have its own fields `ok`, `deleted`, `status` and `code`.
  const refusals = ['success', ...(isOwn ? [] : ['ok'])];
  const counts = listCounts(called.method, isOwn);
  const refused =
    [...refusals, ...counts].find((name) => pickField(body, name) === false) ??
    counts.find((name) => pickField(body, name) === 0);
  if (refused !== undefined) return refused;
  // A resource may show its last error, but in the response to a change, the error is about that change.
  if (isOwn && !isChanging(called)) return undefined;
  const failed = errorFields.find((name) => isFilled(pickField(body, name)));
  if (failed !== undefined) return failed;
  const statuses = ['statusCode', ...(isOwn ? [] : ['status', 'code', 'result'])];
  return statuses.find((name) => isFailedStatus(pickField(body, name)));
}

/** Fields that say whether or how many resources a request has changed. */
function listCounts(method: string, isOwn: boolean): readonly string[] {
  if (method === 'PATCH') return ['updated', ...(isOwn ? [] : ['affected', 'modifiedCount'])];
  return method === 'DELETE' && !isOwn ? deletionCounts : [];
}

/** Whether a value is a word for failure, or the HTTP status that the response should have had. */
function isFailedStatus(value: unknown): boolean {
  return failedStatuses.has(value) || (typeof value === 'number' && value >= 400 && value < 600);
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return value instanceof ExactNumber || Object.keys(value).length > 0;
}
