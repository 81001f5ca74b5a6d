import { listCalls, type Operation } from '../api/operations.js';
import { isIdText, type Resource, type ResourceDeclaration, readId } from '../api/resources/resource.js';
import { assertCallFailed, UsageError } from '../errors/errors.js';
import { printJson } from '../text/exact-json.js';
import { decodeJson, formError } from './answers/decode.js';
import { assertSucceeded } from './answers/outcome.js';
import type { Answer } from './exchange/exchange.js';
import type { CallOptions } from './page-request.js';
import { chooseForms, type ItemForms, knownForms } from './reading/forms.js';
import { findPlaces, readIdentified, withId } from './reading/read-single.js';
import { toTheirNames } from './reading/record-fields.js';
import type { Transport } from './transport/transport.js';

const jsonContentType = 'application/json';

export interface Shapes<Item, Created> {
  isItem(value: unknown): value is Item;
  readCreated(
    resource: Resource | undefined,
    value: unknown,
    forms: ItemForms,
  ): Promise<Created | undefined> | Created | undefined;
  readonly created?: (forms: ItemForms) => Promise<string>;
}

/** Sends calls of one resource, and reads responses with one. The readers throw a ServiceError `server` for any other. */
export function singleAnswers<Item, Created>(
  transport: Transport,
  resource: ResourceDeclaration,
  shapes: Shapes<Item, Created>,
) {
  const { get } = listCalls(resource);
  const { item: forms } = chooseForms(transport.forms, resource.kind);
  const isPinned = transport.forms !== knownForms;
  const single = `an object with an ID, bare or in ${resource.singular}`;
  const misfit = (answer: Answer, value: unknown, wanted = single) =>
    formError(answer, value, wanted, isPinned);
  const isOwn = (body: Resource) => readId(withId(body, resource, forms)) !== undefined;
  const send = ({ method }: Operation, target: string, { signal, deadline }: CallOptions, body?: unknown) => {
    const bytes = body === undefined ? undefined : writeBody(body, forms);
    const request = { method, target, body: bytes, contentType: jsonContentType, signal, deadline };
    return transport.send(request);
  };
  /** The parsed body. @throws ServiceError `server` if it, or what an envelope holds, reports a failure */
  const decodeSingle = (answer: Answer): unknown => {
    const value = decodeJson(answer);
    for (const place of [value, ...findPlaces(value, resource, forms)]) assertSucceeded(answer, place, isOwn);
    return value;
  };
  const readOne = async (
    id: string,
    options: CallOptions,
    known?: { readonly id: string },
  ): Promise<Item> => {
    const answer = await send(get, toItemPath(get, id), options);
    const value = decodeSingle(answer);
    const found = readIdentified(value, resource, forms, known);
    if (shapes.isItem(found)) return found;
    throw await misfit(answer, value);
  };
  /** `undefined` if the call fails. */
  const readIfPossible = (id: string, options: CallOptions) =>
    readOne(id, options, { id }).catch(assertCallFailed);
  const readCreated = async (answer: Answer, value: unknown, places: ItemForms): Promise<Created> => {
    const created = await shapes.readCreated(readIdentified(value, resource, places), value, places);
    if (created !== undefined) return created;
    throw await misfit(answer, value, await shapes.created?.(places));
  };
  return { send, forms, isPinned, isOwn, decodeSingle, readOne, readIfPossible, readCreated, misfit };
}

/** @throws UsageError for a value that JSON cannot express, such as an object that contains itself */
function writeBody(body: unknown, forms: ItemForms): Buffer {
  try {
    return Buffer.from(printJson(toTheirNames(body, forms)));
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    const [why] = cause.message.split('\n');
    throw new UsageError(`this call: \`body\` cannot be written as JSON: ${why}`, { cause });
  }
}

/** @throws UsageError for an ID that cannot be a path segment, such as `""` (the collection) or `..` */
export function toItemPath({ path }: Operation, id: unknown): string {
  // Callers without types may pass anything; an object would become the path segment `[object Object]`.
  if (typeof id !== 'string' || !isIdText(id)) {
    throw new UsageError(`${JSON.stringify(id)} is not an ID`);
  }
  return path.replace('{id}', () => encodeURIComponent(id));
}
