import { apiKeys } from '../api/resources/api-key.js';
import {
  isResource,
  normalizeId,
  type Resource,
  type ResourceDeclaration,
  readId,
} from '../api/resources/resource.js';
import { type OrgctlError, OutcomeUnknownError } from '../errors/errors.js';
import { isKeyId } from '../redaction/harmless.js';
import { assertDeleted, assertSucceeded, confirmsDeletion } from './answers/assert-succeeded.js';
import { decodeJson, formError, unexpectedAnswer } from './answers/decode.js';
import type { Answer } from './exchange/exchange.js';
import { readJsonValue } from './exchange/json-body.js';
import { isChanging } from './exchange/request.js';
import { readDeletionMark } from './reading/deletion-mark.js';
import type { ItemForms } from './reading/forms.js';
import { findPlaces, readIdentified, withId } from './reading/read-single.js';

export interface Shapes<Item, Created> {
  isItem(value: unknown): value is Item;
  readCreated(
    resource: Resource | undefined,
    value: unknown,
    forms: ItemForms,
  ): Promise<Created | undefined> | Created | undefined;
  readonly created?: (forms: ItemForms) => Promise<string>;
}

/** Functions that read a response with one resource. They throw a ServiceError `server` for an unexpected response. */
export function singleAnswers<Item, Created>(
  resource: ResourceDeclaration,
  shapes: Shapes<Item, Created>,
  forms: ItemForms,
  isPinned: boolean,
) {
  const single = `an object with an ID, bare or in ${resource.singular}`;
  const misfit = (answer: Answer, value: unknown) => formError(answer, value, single, isPinned);
  const isOwn = (body: Resource) => readId(withId(body, resource, forms)) !== undefined;
  /** Like `assertSucceeded`, for what an envelope holds in the resource's place. */
  const assertInnerSucceeded = (answer: Answer, value: unknown) => {
    const inner = findPlaces(value, resource, forms).filter((place) => place !== value);
    for (const place of inner) assertSucceeded(answer, place, isOwn);
  };
  const decodeSingle = (answer: Answer): unknown => {
    const value = decodeJson(answer);
    assertSucceeded(answer, value, isOwn);
    assertInnerSucceeded(answer, value);
    return value;
  };
  const assertSameResource = (found: Resource | undefined, asked: string, answer: Answer) => {
    if (found === undefined || !isOther(found, asked, answer, resource)) return;
    throw unexpectedAnswer(answer, `has another ID: ${readId(found)}`);
  };
  const readMade = async (answer: Answer, value: unknown, places: ItemForms): Promise<Created> => {
    const created = await shapes.readCreated(readIdentified(value, resource, places), value, places);
    if (created !== undefined) return created;
    throw await formError(answer, value, (await shapes.created?.(places)) ?? single, isPinned);
  };
  return {
    decodeSingle,
    misfit,
    /** @param known the ID to use if the response has none */
    async readItem(answer: Answer, asked: string, known?: { readonly id: string }): Promise<Item> {
      const value = decodeSingle(answer);
      const found = readIdentified(value, resource, forms, known);
      assertSameResource(found, asked, answer);
      if (found !== undefined && shapes.isItem(found)) return found;
      throw await misfit(answer, value);
    },
    /**
     * The error to throw if the resource still exists; `undefined` if the response confirms the deletion.
     * @throws ServiceError `server` if the response reports a failure, or shows another resource
     */
    doubtDeleted(answer: Answer, asked: string): OrgctlError | undefined {
      assertDeleted(answer, isOwn);
      const value = readJsonValue(answer.body);
      assertInnerSucceeded(answer, value);
      const found = readIdentified(value, resource, forms);
      assertSameResource(found, asked, answer);
      const mark = found && readDeletionMark(found);
      if (mark === false) return unexpectedAnswer(answer, 'shows the resource as not deleted');
      if (answer.status === 202 && forms.deleted !== 202) return acceptedError(answer);
      // A resource without a deletion mark may be deleted later; `{}` says nothing.
      const isStated = answer.body.length === 0 && [204, forms.deleted].includes(answer.status);
      return mark || isStated || confirmsDeletion(value) ? undefined : unclearError(answer);
    },
    readCreated: (answer: Answer, value: unknown) => readMade(answer, value, forms),
    /** Like `readCreated`, for a resource that was read by its ID, and so taken from its place already. */
    readFound: (answer: Answer, found: unknown) => readMade(answer, found, { ...forms, in: [null] }),
  };
}

/** Whether a response shows a resource other than the requested one. Any field may hold the requested ID. */
function isOther(
  found: Resource,
  asked: string,
  { called }: Answer,
  { idPrefix }: ResourceDeclaration,
): boolean {
  const own = readId(found);
  const isAsked = (value: unknown) => normalizeId(String(value)) === normalizeId(asked);
  if (own === undefined || isAsked(own)) return false;
  if (Object.values(found).some((value) => !isResource(value) && isAsked(value))) return false;
  if (idPrefix !== apiKeys.idPrefix || isKeyId(asked) === isKeyId(own)) return true;
  // A key may have a number as a second ID; a response to a read may show only one of the two.
  return isChanging(called) && !(isKeyId(asked) && /^\d+$/.test(own));
}

/** The error for 202: the change was accepted, but may not have been made yet. */
export function acceptedError(answer: Answer): OutcomeUnknownError {
  return doubtError(answer, `was accepted (${answer.status}), but may not have been carried out yet`);
}

function unclearError(answer: Answer): OutcomeUnknownError {
  return doubtError(
    answer,
    `returned ${answer.status}, but the response does not say that it was carried out`,
  );
}

function doubtError({ called, status }: Answer, what: string): OutcomeUnknownError {
  const { method, target } = called;
  return new OutcomeUnknownError(`${method} ${target} ${what}`, {
    ...{ status, method, path: target, retryable: false },
    hint: 'before you repeat it, check now and a minute later whether it was carried out',
  });
}
