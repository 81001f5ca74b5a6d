import type { IncomingHttpHeaders } from 'node:http';
import type { CallName } from '../../api/operations.js';
import { connectionInputSchema, shownConfig } from '../../api/resources/connection.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { isResource } from '../../api/resources/resource.js';
import { type Envelope, envelope, pageNumber, pageSize } from '../../api/schema/envelope.js';
import type { OnCounted, ResourceFields, RowPageRequest, StoredResource } from '../../storage/resources.js';
import type { Store } from '../../storage/store.js';
import { printJson } from '../../text/exact-json.js';
import { badRequest, refuseNotFound } from '../http/answer.js';
import { conforming, maxBodyBytes, parseJsonBody } from '../http/body.js';

export type ServiceCall =
  | { readonly resource: DeclaredResource; readonly name: CallName }
  | { readonly resource?: undefined; readonly name: 'quotas' };

export interface ResourceCall {
  readonly resource: DeclaredResource;
  readonly name: CallName;
  readonly organizationId: string;
  /** Empty if there is none. */
  readonly id: string;
  /** Only for lists. */
  readonly page: RowPageRequest;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Called when a resource is created. */
  readonly onCounted?: OnCounted;
  /** Translates the body's field names. */
  readonly toOwn?: ((value: unknown) => unknown) | undefined;
}

/** Leaves out passwords and possible secrets of connections. */
function toShown(resource: StoredResource): StoredResource {
  const config = configOf(resource);
  return config === undefined ? resource : { ...resource, config: shownConfig(config) };
}

/** Keeps fields of `config` that the patch omits, above all the password. @throws HttpError 400 */
function toPatched(current: StoredResource, patch: ResourceFields): StoredResource {
  const next = { ...current, ...patch };
  if (!('config' in current) || !('type' in patch || 'config' in patch)) return next;
  const { id: _id, created_at: _created, updated_at: _updated, ...input } = next;
  const whole = { ...input, config: { ...configOf(current), ...configOf(patch) } };
  if (Buffer.byteLength(printJson(whole.config)) > maxBodyBytes)
    throw badRequest(`config: has more than ${maxBodyBytes} bytes of JSON`);
  conforming(connectionInputSchema(whole), whole);
  return { ...next, ...whole };
}

function configOf({ config }: ResourceFields): Readonly<Record<string, unknown>> | undefined {
  return isResource(config) ? config : undefined;
}

export function statusOf(name: CallName): number {
  return name === 'create' ? 201 : name === 'delete' ? 204 : 200;
}

/** Returns the list, the resource, or nothing. @throws HttpError 400, 404 or 415 */
export async function runResourceCall(call: ResourceCall, store: Store): Promise<unknown> {
  const { resource, name, organizationId, id, headers, body, toOwn } = call;
  const repository = store.resources[resource.kind];
  // Refused here, because a database might not accept the text.
  if (id !== '' && !identifierPattern.test(id)) return refuseId();
  switch (name) {
    case 'list':
      return listPage(call, (await repository.list(organizationId, call.page)).map(toShown), store);
    case 'create': {
      const schemaOf = 'inputFor' in resource ? resource.inputFor : () => resource.input;
      const input = parseJsonBody(headers, body, schemaOf, toOwn);
      return toShown(await repository.create(organizationId, input, call.onCounted));
    }
    case 'get':
      return toShown((await repository.find(organizationId, id)) ?? refuseId());
    case 'update': {
      if (!('patch' in resource)) throw refuseNotFound();
      const patch = parseJsonBody(headers, body, () => resource.patch, toOwn);
      const change = (current: StoredResource) => toPatched(current, patch);
      return toShown((await repository.update(organizationId, id, change)) ?? refuseId());
    }
    case 'delete':
      return (await repository.delete(organizationId, id)) ? undefined : refuseId();
  }
}

async function listPage(
  { resource, organizationId, page: { search, ...at } }: ResourceCall,
  items: readonly unknown[],
  store: Store,
): Promise<Envelope<unknown>> {
  const total =
    search === undefined
      ? ((await store.quotas.of(organizationId))[resource.kind]?.used ?? 0)
      : await store.resources[resource.kind].count(organizationId, search);
  return envelope(items, { total, ...at });
}

export const identifierPattern = /^[A-Za-z0-9_-]{1,255}$/;

type Query = Readonly<Record<string, unknown>>;

/** @throws HttpError 400 if `limit` or `page` is invalid or repeated */
export function readPageQuery(query: Query): RowPageRequest {
  return { limit: readCount(query, 'limit', pageSize), page: readCount(query, 'page', pageNumber) };
}

export interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** @throws HttpError 400 */
export function readCount(query: Query, name: string, { min, max, default: whenAbsent }: Bounds): number {
  const value = query[name];
  if (value === undefined) return whenAbsent;
  const number = typeof value === 'string' && /^(?:0|[1-9]\d{0,12})$/.test(value) ? Number(value) : -1;
  if (number >= min && number <= max) return number;
  throw badRequest(`${name} must be one integer from ${min} to ${max}`, 'query');
}

export function quotaEnvelope(record: object): Envelope<object> {
  return envelope([record], { total: 1, page: 1, limit: pageSize.default });
}

/** Does not reveal whether another organization has the ID. */
function refuseId(): never {
  const reason = "the key's organization has no resource with this ID";
  const advice = 'check the ID: it was deleted, was never issued, or belongs to another organization';
  throw refuseNotFound(() => ({ reason, advice }));
}
