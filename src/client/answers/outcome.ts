import { isResource, type Resource } from '../../api/resources/resource.js';
import { type OrgctlError, OutcomeUnknownError } from '../../errors/errors.js';
import { ExactNumber } from '../../text/exact-number.js';
import { type Answer, readJsonValue, shorten } from '../exchange/exchange.js';
import { checkFirst, mayShowSecret } from '../exchange/request.js';
import { readErrorTexts } from '../reading/error-texts.js';
import { knownForms, pickField } from '../reading/forms.js';
import { describeAnswer, isPage, misfitError, unexpectedAnswer, withoutSent } from './decode.js';

// A 2xx counts as success unless these checks find a failure; assert-changed.ts compares values.

/**
 * @param isOwn whether a body is the resource itself, which may have fields `error` and `status` of its own
 * @throws ServiceError `server` for a body that reports a failure
 */
export function assertSucceeded(
  answer: Answer,
  value: unknown,
  isOwn: (body: Resource) => boolean = () => false,
): void {
  if (!isResource(value)) return;
  const field = findFailure(value, isOwn(value));
  if (field === undefined) return;
  const text = mayShowSecret(answer.called) ? undefined : readErrorTexts(value, knownForms.errors)?.text;
  const said = text === undefined ? `field "${field}"` : shorten(withoutSent(answer, text), 500);
  throw unexpectedAnswer(answer, `reports a failure: ${said}`);
}

/** @throws ServiceError `server` for a reported failure or, without a dialect, any status other than 200 */
export function assertListed(answer: Answer, value: unknown, isPinned: boolean): void {
  // A service may send pages with 206; its dialect then says how the list ends.
  if (answer.status !== 200 && !isPinned) {
    throw misfitError(answer, `returned ${answer.status}, which is not the status of a list`);
  }
  assertSucceeded(answer, value);
}

/** Whether a status may mean partial success, such as 206 and 207. */
export const isPartial = ({ status }: Answer) => status > 205;

export function assertDone(answer: Answer): void {
  const what = `returned ${answer.status}, which may mean that only part of it was done`;
  if (isPartial(answer)) throw misfitError(answer, what);
}

/**
 * `undefined` if the response confirms the deletion; otherwise the error to throw unless GET finds nothing.
 * @throws ServiceError `server` for a web page, partial success or a reported failure
 */
export function doubtDeletion(
  answer: Answer,
  isOwn: (body: Resource) => boolean,
): OutcomeUnknownError | undefined {
  assertDone(answer);
  if (isPage(answer)) throw unexpectedAnswer(answer, 'is a web page');
  const value = readJsonValue(answer.body);
  for (const one of [value, pickField(value, 'data')]) assertSucceeded(answer, one, isOwn);
  if (answer.status === 202) return acceptedError(answer);
  const isTrue =
    value === true || ['deleted', 'success', 'ok'].some((name) => pickField(value, name) === true);
  if (answer.body.length === 0 || isTrue) return undefined;
  return doubtError(
    answer,
    `returned ${answer.status}, but the response does not say that it was carried out`,
  );
}

export function acceptedError(answer: Answer): OutcomeUnknownError {
  return doubtError(answer, `was accepted (${answer.status}), but may not have been carried out yet`);
}

function doubtError(answer: Answer, what: string): OutcomeUnknownError {
  const { method, target } = answer.called;
  const details = { ...describeAnswer(answer), retryable: false, ...checkFirst };
  return new OutcomeUnknownError(`${method} ${target} ${what}`, details);
}

/** By created key: the error to throw once its secret is stored, for 202, 206, 207, or another value than was sent. */
export const creationDoubts = new WeakMap<object, OrgctlError>();

/** The field that says that the request failed, such as `success: false`. */
export function findFailure(body: Resource, isOwn: boolean): string | undefined {
  const find = (names: readonly string[], isFailed: (value: unknown) => boolean) =>
    names.find((name) => isFailed(pickField(body, name)));
  const isFalse = (value: unknown) => value === false;
  if (isOwn) return find(['success'], isFalse);
  const isStatus = (value: unknown) =>
    typeof value === 'number' ? value >= 400 && value < 600 : failureWords.has(value);
  return (
    find(['success', 'ok', 'deleted'], isFalse) ??
    find(['error', 'errors', 'error_message', 'errorMessage'], isFilled) ??
    find(['statusCode', 'status', 'code', 'result'], isStatus)
  );
}

const failureWords: ReadonlySet<unknown> = new Set(['error', 'fail', 'failed', 'failure']);

function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return value instanceof ExactNumber || Object.keys(value).length > 0;
}
