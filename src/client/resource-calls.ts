import { listCalls, type Operation } from '../api/operations.js';
import {
  isIdText,
  isResource,
  isResourceLike,
  type Resource,
  type ResourceDeclaration,
  readId,
} from '../api/resources/resource.js';
import { assertCallFailed, isGone, UsageError } from '../errors/errors.js';
import { readPath } from '../text/base-url.js';
import { printJson } from '../text/exact-json.js';
import { assertChanged, findChangeError, lacksSent } from './answers/assert-changed.js';
import { decodeJson, formError } from './answers/decode.js';
import {
  acceptedError,
  assertDone,
  assertListed,
  assertSucceeded,
  creationDoubts,
  doubtDeletion,
  isPartial,
} from './answers/outcome.js';
import type { Answer } from './exchange/exchange.js';
import { countByQuota } from './quota-record.js';
import { chooseForms, type ItemForms, knownForms } from './reading/forms.js';
import { type CallOptions, type Page, type PageRequest, pageTarget } from './reading/page.js';
import { findPlaces, readIdentified, toTheirNames, withId } from './reading/read-single.js';
import type { Transport } from './transport/transport.js';

const anObject = 'an object with an ID';

/** Sends one kind's calls, and reads responses with a single resource. @throws ServiceError `server` for others */
function singleCalls<Item, Created>(transport: Transport, resource: ResourceDeclaration) {
  const { get } = listCalls(resource);
  const { item: forms } = chooseForms(transport.forms, resource.kind);
  const isOwn = (body: Resource) => readId(withId(body, resource, forms)) !== undefined;
  const send = ({ method }: Operation, target: string, { signal, deadline }: CallOptions, sent?: unknown) => {
    const body = sent === undefined ? undefined : Buffer.from(printJson(toTheirNames(sent, forms)));
    return transport.send({ method, target, body, contentType: 'application/json', signal, deadline });
  };
  /** @throws ServiceError `server` if the body, or what an envelope holds, reports a failure */
  const decodeSingle = (answer: Answer): unknown => {
    const value = decodeJson(answer);
    for (const place of [value, ...findPlaces(value, resource, forms)]) assertSucceeded(answer, place, isOwn);
    return value;
  };
  const readOne = async (id: string, options: CallOptions, known?: { readonly id: string }) => {
    const answer = await send(get, toItemPath(get, id), options);
    const value = decodeSingle(answer);
    const found = readIdentified(value, resource, forms, known);
    if (isResourceLike<Item>(found)) return found;
    throw await formError(answer, value, anObject);
  };
  /** `undefined` if the call fails. */
  const readIfPossible = (id: string, options: CallOptions) =>
    readOne(id, options, { id }).catch(assertCallFailed);
  const readCreated = async (answer: Answer, value: unknown, places: ItemForms): Promise<Created> => {
    // Only the response to a creation has the secret.
    const keys = resource.created && (await import('./reading/read-created-key.js'));
    const created = (keys?.readCreatedKey ?? readIdentified)(value, resource, places);
    if (isResourceLike<Created>(created)) return created;
    throw await formError(answer, value, keys ? 'an ID, and a secret that is not masked' : anObject);
  };
  return { send, forms, isOwn, decodeSingle, readOne, readIfPossible, readCreated };
}

/** Makes the calls of one kind of resource from `api/operations.ts`. */
export function resourceCalls<Item = Resource, Created = Item, Input = unknown, Patch = unknown>(
  transport: Transport,
  resource: ResourceDeclaration,
) {
  const { create, update, delete: remove } = listCalls(resource);
  const { send, forms, isOwn, decodeSingle, readOne, readIfPossible, readCreated } = singleCalls<
    Item,
    Created
  >(transport, resource);
  const bare = { ...forms, in: [null] };
  return {
    toSent: (body: unknown) => toTheirNames(body, forms),
    list: listPages<Item>(transport, resource),
    async create(body: Input, options: CallOptions = {}): Promise<Created> {
      const answer = await send(create, create.path, options, body);
      const id = answer.body.length > 0 ? undefined : idAtLocation(answer, create.path, transport);
      const created =
        id === undefined
          ? await readCreated(answer, decodeSingle(answer), forms)
          : await readCreated(answer, (await readIfPossible(id, options)) ?? { id }, bare);
      if (!isResource(created)) return created;
      const made = id ?? readId(created);
      // 202 may show only a job, and the resource may never be created.
      const isDoubtful =
        answer.status === 202 && !isNamed(made && (await readIfPossible(made, options)), body);
      const doubt =
        isPartial(answer) || isDoubtful ? acceptedError(answer) : findChangeError(answer, body, created);
      if (doubt !== undefined && created['secret'] === undefined) throw doubt;
      if (doubt !== undefined) creationDoubts.set(created, doubt);
      return created;
    },
    get: (id: string, options: CallOptions = {}): Promise<Item> => readOne(id, options),
    async update(id: string, body: Patch, options: CallOptions = {}): Promise<Item> {
      const answer = await send(update, toItemPath(update, id), options, body);
      assertDone(answer);
      // Some services only confirm a change, as in `{ "ok": true }`.
      const value = answer.body.length > 0 ? decodeSingle(answer) : {};
      // With 202, the response may still show the resource unchanged.
      if (answer.status === 202) throw acceptedError(answer);
      const shown = readIdentified(value, resource, forms, { id });
      assertChanged(answer, body, shown);
      if (isResourceLike<Item>(shown) && !lacksSent(body, shown)) return shown;
      const seen = (await readIfPossible(id, options)) ?? shown ?? { id };
      assertChanged(answer, body, seen);
      if (isResourceLike<Item>(seen)) return seen;
      throw await formError(answer, seen, anObject);
    },
    async delete(id: string, options: CallOptions = {}): Promise<void> {
      const answer = await send(remove, toItemPath(remove, id), options);
      const doubt = doubtDeletion(answer, isOwn);
      if (doubt === undefined) return;
      const isThere = await readOne(id, options, { id }).then(
        () => true,
        (error: unknown) => assertCallFailed(error) ?? !isGone(error),
      );
      if (isThere) throw doubt;
    },
  };
}

function isNamed(resource: unknown, sent: unknown): boolean {
  return isResource(resource) && isResource(sent) && resource['name'] === sent['name'];
}

function listPages<Item>(transport: Transport, resource: ResourceDeclaration) {
  const { list } = listCalls(resource);
  const { kind } = resource;
  const forms = chooseForms(transport.forms, kind);
  const isPinned = transport.forms !== knownForms;
  const fetchPage = async (request: PageRequest = {}, left?: number): Promise<Page<Item>> => {
    const { page = 1, signal, deadline } = request;
    if (page > 1 && (forms.list.pageParameter === undefined || forms.list.paging === 'none')) {
      throw new UsageError(
        `page ${page} cannot be read: according to its dialect, the service does not number its pages`,
      );
    }
    const target = pageTarget(list.path, request, forms.list);
    const answer = await transport.send({ method: list.method, target, signal, deadline }, left);
    const value = decodeJson(answer);
    assertListed(answer, value, isPinned);
    // Loaded on demand, because many commands read no list.
    const { readPage } = await import('./reading/read-page.js');
    const asked = { ...transport, target };
    const found = readPage({ value, headers: answer.headers, asked }, resource, forms, isResourceLike<Item>);
    if (found !== undefined) return found.page;
    throw await formError(answer, value, 'a list of objects');
  };
  const count = (options: CallOptions, left?: number) => countByQuota(kind, transport, options, left);
  return Object.assign(fetchPage, {
    largest: forms.list.sizes?.max,
    ...(resource.quota !== undefined && { count }),
  });
}

/** The ID from the `Location` of an empty response, if it is an address below the collection at the same origin. */
function idAtLocation({ headers }: Answer, path: string, { origin, prefix }: Transport): string | undefined {
  const collection = `${origin}${prefix}${path}`;
  const location = String(headers['location'] ?? '');
  if (!URL.canParse(location, collection)) return undefined;
  const { origin: there, pathname } = new URL(location, collection);
  const address = `${there}${pathname}`;
  if (!address.startsWith(`${collection}/`)) return undefined;
  const id = readPath(address.slice(collection.length + 1).replace(/\/$/, ''));
  return isIdText(id) && !id.includes('/') ? id : undefined;
}

/** @throws UsageError for an ID that cannot be a path segment, such as `""` (the collection) or `..` */
function toItemPath({ path }: Operation, id: string): string {
  if (!isIdText(id)) throw new UsageError(`${JSON.stringify(id)} is not an ID`);
  return path.replace('{id}', () => encodeURIComponent(id));
}
