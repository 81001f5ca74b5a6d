import { listCalls, type Operation } from '../api/operations.js';
import { isIdText, isResource, type ResourceDeclaration, readId } from '../api/resources/resource.js';
import { assertCallFailed, UsageError } from '../errors/errors.js';
import { printJson } from '../text/exact-json.js';
import { assertDone, assertListed } from './answers/assert-succeeded.js';
import { decodeJson, formError } from './answers/decode.js';
import { doubtCreation } from './answers/doubted-creation.js';
import type { Answer } from './exchange/exchange.js';
import type { Listed } from './find-listed.js';
import type { FetchPage } from './follow-pages.js';
import type { CallOptions, PageRequest } from './page-request.js';
import { countByQuota } from './quota-record.js';
import { chooseForms, type ItemForms, knownForms } from './reading/forms.js';
import type { AskedPage } from './reading/next-page.js';
import { toTheirNames } from './reading/own-names.js';
import type { Page } from './reading/page.js';
import { pageTarget } from './reading/page-target.js';
import { acceptedError, type Shapes, singleAnswers } from './single-answers.js';
import type { Transport } from './transport/transport.js';

const jsonContentType = 'application/json';

/** Makes the calls of one resource from `api/operations.ts`. */
export function resourceCalls<Item, Created = Item, Input = unknown, Patch = unknown>(
  transport: Transport,
  resource: ResourceDeclaration,
  shapes: Shapes<Item, Created>,
) {
  const { create, get, update, delete: remove } = listCalls(resource);
  const { origin, prefix, deadline } = transport;
  const forms = chooseForms(transport.forms, resource.kind);
  const isPinned = transport.forms !== knownForms;
  const send = ({ method }: Operation, target: string, { signal, deadline }: CallOptions, body?: unknown) => {
    const bytes = body === undefined ? undefined : writeBody(body, forms.item);
    const request = { method, target, body: bytes, contentType: jsonContentType, signal, deadline };
    return transport.send(request);
  };
  const { doubtDeleted, decodeSingle, readItem, readCreated, readFound, misfit } = singleAnswers(
    resource,
    shapes,
    forms.item,
    isPinned,
  );
  const readOwn = async (id: string, options: CallOptions, known?: { readonly id: string }): Promise<Item> =>
    readItem(await send(get, toItemPath(get, id), options), id, known);
  const list = listPages(transport, resource, shapes);
  const { readIfPossible, lookInList, readShown } = readsOfOne(resource, readOwn, list, deadline);
  return {
    toSent: (body: unknown) => toTheirNames(body, forms.item),
    list,
    async create(body: Input, options: CallOptions = {}): Promise<Created> {
      const answer = await send(create, create.path, options, body);
      const id =
        answer.body.length === 0 ? idAtLocation(answer, { origin, prefix, target: create.path }) : undefined;
      const readMade = async (made: string) =>
        answer.status === 202
          ? readShown(made, options)
          : ((await readIfPossible(made, options)) ?? { id: made });
      const created =
        id === undefined
          ? await readCreated(answer, decodeSingle(answer))
          : await readFound(answer, await readMade(id));
      const isRead = isPinned || id !== undefined;
      await assertMade(answer, body, created, (made) => (isRead ? created : readMade(made)));
      return checkCreated(answer, body, created);
    },
    get: (id: string, options: CallOptions = {}): Promise<Item> => readOwn(id, options),
    lookInList,
    async update(id: string, body: Patch, options: CallOptions = {}): Promise<Item> {
      const answer = await send(update, toItemPath(update, id), options, body);
      assertDone(answer);
      const { assertChanged, isOnlyId, lacksSent } = await import('./answers/assert-changed.js');
      // Some services only confirm a change, as in `{ "ok": true }`.
      const confirmed = answer.body.length > 0 ? await readItem(answer, id, { id }) : undefined;
      // With 202, the response may still show the resource unchanged.
      if (answer.status === 202) throw acceptedError(answer);
      assertChanged(answer, body, confirmed);
      if (confirmed !== undefined && !lacksSent(body, confirmed)) return confirmed;
      const seen = await readShown(id, options);
      assertChanged(answer, body, seen);
      const changed = confirmed !== undefined && isOnlyId(seen) ? confirmed : seen;
      if (shapes.isItem(changed)) return changed;
      throw await misfit(answer, changed);
    },
    async delete(id: string, options: CallOptions = {}): Promise<void> {
      const answer = await send(remove, toItemPath(remove, id), options);
      const doubt = doubtDeleted(answer, id);
      if (doubt === undefined) return;
      const { assertGone } = await import('./assert-gone.js');
      await assertGone(doubt, readOwn(id, options), () => lookInList(id, options));
    },
  };
}

function readsOfOne<Item>(
  { plural }: ResourceDeclaration,
  readOwn: (id: string, options: CallOptions, known: { readonly id: string }) => Promise<Item>,
  list: FetchPage<Item>,
  deadline: CallOptions['deadline'],
) {
  /** Reads a resource, even one without a field for its ID; `undefined` if the call fails. */
  const readIfPossible = (id: string, options: CallOptions) =>
    readOwn(id, options, { id }).catch(assertCallFailed);
  const lookInList = async (id: string, options: CallOptions = {}): Promise<Listed<Item>> => {
    const { findListed } = await import('./find-listed.js');
    return findListed(id, list, plural, { deadline, ...options });
  };
  /** Reads a created or changed resource by its ID, or in the list; returns only its ID if the service shows neither. */
  const readShown = async (id: string, options: CallOptions) =>
    (await readIfPossible(id, options)) ?? (await lookInList(id, options)).item ?? { id };
  return { readIfPossible, lookInList, readShown };
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

/**
 * After 202, the response may show only a job or an address, and the resource may never be created. If the response has
 * a secret, `doubtedCreation` returns the error instead, because the caller must first store the secret.
 * @throws OutcomeUnknownError unless a resource with the sent name can be read
 */
async function assertMade(
  answer: Answer,
  sent: unknown,
  created: unknown,
  read: (id: string) => unknown,
): Promise<void> {
  if (answer.status !== 202 || !isResource(sent) || !isResource(created)) return;
  const id = readId(created);
  if (isNamed(id === undefined ? created : await read(id), sent['name'])) return;
  if (created['secret'] === undefined) throw acceptedError(answer);
  doubtCreation(created, acceptedError(answer));
}

function isNamed(resource: unknown, name: unknown): boolean {
  return isResource(resource) && resource['name'] === name;
}

/** @throws ServiceError `server` if settings differ from those sent, or a list shows another resource */
async function checkCreated<Created>(answer: Answer, sent: unknown, created: Created): Promise<Created> {
  if (!isResource(sent) || !isResource(created)) return created;
  const { config, name } = sent;
  const isRenamed = ![undefined, name].includes(created['name']);
  if (config === undefined && !isRenamed) return created;
  const { assertChanged, assertNotListed } = await import('./answers/assert-changed.js');
  if (isRenamed) assertNotListed(answer, name, created);
  if (config !== undefined) assertChanged(answer, { config }, created);
  return created;
}

function listPages<Item>(
  transport: Transport,
  resource: ResourceDeclaration,
  { isItem }: Pick<Shapes<Item, unknown>, 'isItem'>,
) {
  const { list } = listCalls(resource);
  const { origin, prefix } = transport;
  const forms = chooseForms(transport.forms, resource.kind);
  const isPinned = transport.forms !== knownForms;
  const fetchPage = async (request: PageRequest = {}, left?: number): Promise<Page<Item>> => {
    const isUnnumbered = forms.list.pageParameter === undefined || forms.list.isOnePage;
    if ((request.page ?? 1) > 1 && isUnnumbered) {
      throw new UsageError(
        `page ${request.page} cannot be read: according to its dialect, the service does not number its pages`,
      );
    }
    const target = pageTarget(list.path, request, { ...forms.list, ...request.names });
    const { signal, deadline } = request;
    const answer = await transport.send({ method: list.method, target, signal, deadline }, left);
    const value = decodeJson(answer);
    assertListed(answer, value, isPinned);
    const asked = { origin, prefix, target };
    // Loaded on demand, because many commands read no list.
    const { readPage, describeListPlaces } = await import('./reading/read-page.js');
    const found = readPage({ value, headers: answer.headers, asked }, resource, forms, isItem);
    if (found !== undefined) return found.page;
    const wanted = `a list of objects: ${describeListPlaces(resource, forms.list)}`;
    throw await formError(answer, value, wanted, isPinned);
  };
  const count =
    resource.quota === undefined
      ? undefined
      : (options: CallOptions, left?: number) => countByQuota(resource.kind, transport, options, left);
  return Object.assign(fetchPage, { largest: forms.list.largest, count });
}

/** The ID from the `Location` of an empty response, if it is an address below the collection at the same origin. */
function idAtLocation({ headers }: Answer, { origin, prefix, target }: AskedPage): string | undefined {
  const location = headers['location'];
  const collection = `${origin}${prefix}${target}`;
  if (typeof location !== 'string' || !URL.canParse(location, collection)) return undefined;
  const url = new URL(location, collection);
  const below = `${prefix}${target}/`;
  if (url.origin !== origin || !url.pathname.startsWith(below)) return undefined;
  const id = decodeSegment(url.pathname.slice(below.length).replace(/\/$/, ''));
  return id !== undefined && isIdText(id) && !id.includes('/') ? id : undefined;
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** @throws UsageError for an ID that cannot be a path segment, such as `""` (the collection) or `..` */
function toItemPath({ path }: Operation, id: unknown): string {
  // Callers without types may pass anything; an object would become the path segment `[object Object]`.
  if (typeof id !== 'string' || !isIdText(id)) {
    throw new UsageError(`${JSON.stringify(id)} is not an ID`);
  }
  return path.replace('{id}', () => encodeURIComponent(id));
}
