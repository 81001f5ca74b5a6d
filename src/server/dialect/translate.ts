import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../../api/dialect/dialect.js';
import type { QuotaRecord } from '../../api/quota.js';
import { resources } from '../../api/resources/index.js';
import { isResource } from '../../api/resources/resource.js';
import type { Envelope } from '../../api/schema/envelope.js';
import type { RowPageRequest } from '../../storage/resources.js';
import type { Store } from '../../storage/store.js';
import { errorHandler } from '../http/answer-error.js';
import { HttpError, refuseNotFound } from '../http/http-error.js';
import type { Asked, PageText } from '../routes/resource-handler.js';
import { readBody, readOrganization } from '../routes/resource-request.js';
import { type KindDialect, readKindDialect } from './kind-dialect.js';
import { readPage } from './read-page.js';
import { findId, shownId } from './row-ids.js';
import { errorWriter } from './write-error.js';
import { writePage, writePageText } from './write-page.js';
import { quotaWriter } from './write-quotas.js';

declare module 'fastify' {
  interface FastifyRequest {
    page: RowPageRequest | null;
  }
}

export interface TranslationOptions {
  readonly store: Pick<Store, 'rowNumbers'>;
  readonly clock: () => number;
  readonly report: (error: unknown) => void;
}

export interface Translation extends Pick<Asked, 'pageOf' | 'bodyOf' | 'pageText'> {
  writeQuotas(record: QuotaRecord): unknown;
}

/** Translates requests before they reach a route, and responses after it: routes use the server's own terms. */
export function translate(app: FastifyInstance, dialect: Dialect, options: TranslationOptions): Translation {
  const { store, clock, report } = options;
  const kinds = new Map(
    resources.map((resource) => [
      resource.kind,
      readKindDialect(dialect, resource, store.rowNumbers(resource.table)),
    ]),
  );
  const kindOf = ({ routeOptions: { config } }: FastifyRequest): KindDialect | undefined =>
    config.call && kinds.get(config.call.kind);
  app.decorateRequest('page', null);
  app.setErrorHandler(
    errorHandler(report, errorWriter({ dialect, fieldsOf: (request) => kindOf(request)?.fields, clock })),
  );
  readRequests(app, kindOf);
  writeAnswers(app, kindOf);
  return {
    pageOf: requirePage,
    bodyOf: (request, schemaOf) => readBody(request, schemaOf, kindOf(request)?.fields.toOwn),
    pageText(request, reply, listed): Promise<PageText> {
      return writePageText(answeredPage(request, reply, requireKind(kindOf(request))), listed);
    },
    writeQuotas: quotaWriter(dialect.quotas),
  };
}

type FindKind = (request: FastifyRequest) => KindDialect | undefined;

function readRequests(app: FastifyInstance, kindOf: FindKind): void {
  app.addHook('preHandler', async (request) => {
    const kind = kindOf(request);
    if (kind === undefined) return;
    if (kind.missing !== undefined) throw new HttpError(kind.missing, undefined, { check: 'route' });
    const organizationId = readOrganization(request);
    if (request.routeOptions.config.call?.name === 'list') {
      request.page = await readPage(request, organizationId, kind);
    }
    const { params } = request;
    if (!isResource(params) || typeof params['id'] !== 'string') return;
    const id = await findId(params['id'], organizationId, kind);
    if (id === undefined) throw refuseNotFound();
    params['id'] = id;
  });
}

function writeAnswers(app: FastifyInstance, kindOf: FindKind): void {
  app.addHook('preSerialization', async (request, reply, payload: unknown) => {
    const kind = kindOf(request);
    if (kind === undefined || !isResource(payload)) return payload;
    if (request.routeOptions.config.call?.name === 'list') {
      return writePage(answeredPage(request, reply, kind), requireEnvelope(payload));
    }
    return writeItem(request, reply, kind, payload);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const kind = kindOf(request);
    if (kind === undefined || request.refusal !== null || request.stub !== null) return payload;
    const name = request.routeOptions.config.call?.name;
    if (name === 'create' && kind.isBodyless) {
      reply.removeHeader('content-type');
      return null;
    }
    if (name !== 'delete' || kind.item.deleted === 204) return payload;
    reply.code(kind.item.deleted).type('application/json; charset=utf-8');
    return '{}';
  });
}

async function writeItem(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: KindDialect,
  item: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const ids = kind.hasNumericIds && typeof item['id'] === 'string' ? [item['id']] : [];
  const numbers = await kind.rows.numbers(readOrganization(request), ids);
  const id = shownId(item['id'], numbers, kind);
  if (request.routeOptions.config.call?.name === 'create') {
    reply.code(kind.item.created.status);
    if (kind.isBodyless) reply.header('location', `${kind.path}/${String(id)}`);
  }
  const written = kind.fields.toTheirs({ ...item, ...('id' in item && { id }) });
  return kind.itemHolder === null ? written : { [kind.itemHolder]: written };
}

function answeredPage(request: FastifyRequest, reply: FastifyReply, kind: KindDialect) {
  return { kind, organizationId: readOrganization(request), page: requirePage(request), reply };
}

function requirePage({ page }: FastifyRequest): RowPageRequest {
  if (page === null) throw new Error('a list was requested, but its page parameters were not read');
  return page;
}

function requireKind(kind: KindDialect | undefined): KindDialect {
  if (kind === undefined) throw new Error('a list was reached without a call');
  return kind;
}

function requireEnvelope(value: unknown): Envelope<{ readonly id: string }> {
  if (isEnvelope(value)) return value;
  throw new Error('the response to a list request is not a list');
}

function isEnvelope(value: unknown): value is Envelope<{ readonly id: string }> {
  return isResource(value) && Array.isArray(value['data']);
}
