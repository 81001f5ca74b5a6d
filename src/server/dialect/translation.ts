import type { Dialect } from '../../api/dialect/dialect.js';
import type { Quota, QuotaRecord } from '../../api/quota.js';
import { type DeclaredResource, type ResourceKind, resources } from '../../api/resources/index.js';
import { isResource } from '../../api/resources/resource.js';
import type { Envelope } from '../../api/schema/envelope.js';
import type { Store } from '../../storage/store.js';
import { type Answer, jsonAnswer } from '../http/answer.js';
import { HttpError, refuseNotFound } from '../http/http-error.js';
import { readQuery } from '../http/json-body.js';
import { quotaEnvelope, type ResourceCall, runResourceCall } from '../routes/resources.js';
import { findId, type KindDialect, readKindDialect, shownId } from './kind-dialect.js';
import { readPage } from './read-page.js';
import { writeError } from './write-error.js';
import { writePage } from './write-page.js';

/** Translates requests before a call runs, and responses after it: calls use the server's own terms. */
export class Translation {
  readonly #dialect: Dialect;
  readonly #store: Store;
  readonly #kinds: ReadonlyMap<ResourceKind, KindDialect>;

  constructor(dialect: Dialect, store: Store) {
    this.#dialect = dialect;
    this.#store = store;
    this.#kinds = new Map(
      resources.map((resource) => [
        resource.kind,
        readKindDialect(dialect, resource, store.resources[resource.kind]),
      ]),
    );
  }

  async answer(asked: ResourceCall, target: string): Promise<Answer> {
    const kind = this.#kindOf(asked.resource);
    if (kind.missing !== undefined) throw new HttpError(kind.missing, undefined, { check: 'route' });
    const call = await readCall(asked, target, kind);
    const value = await runResourceCall(call, this.#store);
    if (call.name === 'list') return writePage({ kind, ...call }, requireEnvelope(value));
    if (isResource(value)) return writeItem(call, kind, value);
    return kind.item.deleted === 204 ? jsonAnswer(204) : jsonAnswer(kind.item.deleted, {});
  }

  readonly writeQuotas = (record: QuotaRecord): unknown => {
    const { form, counts } = this.#dialect.quotas;
    const written = counts === 'text' ? mapQuotas(record) : record;
    if (form === 'data') return quotaEnvelope(written);
    if (form === 'bare') return written;
    if (form === 'quotas') return { quotas: written };
    return Object.entries(written).map(([kind, quota]) => ({ kind, ...quota }));
  };

  /** @param resource of the call, if it has come to one @param now milliseconds since the epoch */
  refuse(refusal: HttpError, resource: DeclaredResource | undefined, now: number): Answer {
    return writeError(refusal, this.#dialect, resource && this.#kindOf(resource).fields, now);
  }

  #kindOf({ kind }: DeclaredResource): KindDialect {
    const found = this.#kinds.get(kind);
    if (found === undefined) throw new Error(`the dialect lacks ${kind}`);
    return found;
  }
}

async function readCall(call: ResourceCall, target: string, kind: KindDialect): Promise<ResourceCall> {
  const { name, organizationId } = call;
  const page = name === 'list' ? await readPage(readQuery(target), organizationId, kind) : call.page;
  const id = call.id === '' ? '' : await findId(call.id, organizationId, kind);
  if (id === undefined) throw refuseNotFound();
  return { ...call, page, id, toOwn: kind.fields.toOwn };
}

async function writeItem(
  { name, organizationId }: ResourceCall,
  kind: KindDialect,
  item: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const ids = kind.hasNumericIds && typeof item['id'] === 'string' ? [item['id']] : [];
  const id = shownId(item['id'], await kind.rows.numbers(organizationId, ids), kind);
  const status = name === 'create' ? kind.item.created.status : 200;
  if (name === 'create' && kind.isBodyless)
    return { status, headers: ['Location', `${kind.path}/${String(id)}`], body: '' };
  const written = kind.fields.toTheirs({ ...item, ...('id' in item && { id }) });
  return jsonAnswer(status, kind.itemHolder === null ? written : { [kind.itemHolder]: written });
}

function requireEnvelope(value: unknown): Envelope<{ readonly id: string }> {
  if (isEnvelope(value)) return value;
  throw new Error('the response to a list request is not a list');
}

function isEnvelope(value: unknown): value is Envelope<{ readonly id: string }> {
  return isResource(value) && Array.isArray(value['data']);
}

function mapQuotas(record: QuotaRecord): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(record).map(([kind, quota]) => [kind, writeText(quota)]));
}

function writeText(quota: Quota): object {
  return Object.fromEntries(Object.entries(quota).map(([name, value]) => [name, String(value)]));
}
