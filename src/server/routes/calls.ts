import { closestMatch } from 'leven';
import { type CallName, collectionPaths, listCalls, operations, readQuotas } from '../../api/operations.js';
import type { Quota, QuotaRecord } from '../../api/quota.js';
import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { pageSize } from '../../api/schema/envelope.js';
import { redactedTarget } from '../../redaction/redact.js';
import type { Explanation } from '../../signing/refusals/refusal.js';
import { type Answer, jsonAnswer, jsonType, refuseNotFound } from '../http/answer.js';
import { noBytes, readQuery } from '../http/body.js';
import { type FoundRoute, type Route, routeFinder } from '../http/url-space.js';
import type { Service } from '../service.js';
import type { ServiceRequest } from '../service-request.js';
import { quotaEnvelope, readPageQuery, runResourceCall, type ServiceCall, statusOf } from './resources.js';

const callNames: readonly CallName[] = ['list', 'create', 'get', 'update', 'delete'];

export function resourceRoutes(
  kinds: readonly DeclaredResource[],
): Route<ServiceCall & { readonly name: CallName }>[] {
  return kinds.flatMap((resource) =>
    callNames.map((name) => ({ ...listCalls(resource)[name], target: { resource, name } })),
  );
}

const findRoute = routeFinder<ServiceCall>([
  { ...readQuotas, target: { name: 'quotas' } },
  ...resourceRoutes(resources),
]);

/** HEAD responds like GET, without the body. @throws HttpError 404 */
export function requireCall({ method, path }: ServiceRequest): FoundRoute<ServiceCall> {
  const call = findRoute(method === 'HEAD' ? 'GET' : method, path);
  if (call !== undefined) return call;
  throw refuseNotFound(() => explainUnknownPath(method, path));
}

/** Returns no promise for quotas that are in memory. */
export function answerCall(asked: ServiceRequest, service: Service): Answer | Promise<Answer> {
  const { call: found, key, body, request, local } = asked;
  if (found === undefined || key === undefined) throw new Error('a route was reached without authentication');
  const { organizationId } = key;
  const { resource, name } = found.target;
  if (resource === undefined) return answerQuotas(organizationId, service);
  const call = {
    ...{ resource, name, id: found.id, organizationId },
    headers: request.headers,
    body: body === undefined || body === 'too large' ? noBytes : body,
    page: { page: 1, limit: pageSize.default },
    onCounted: (quota: Quota) => {
      asked.quota = quota;
    },
  };
  const { dialect, store } = service;
  if (dialect !== undefined) return dialect.answer(call, local, store);
  const page = name === 'list' ? readPageQuery(readQuery(local)) : call.page;
  return runResourceCall({ ...call, page }, store).then((value) => jsonAnswer(statusOf(name), value));
}

function answerQuotas(organizationId: string, { store: { quotas }, dialect }: Service) {
  const answer = (record: QuotaRecord): Answer => {
    const body = quotaText(record, dialect?.writeQuotas ?? quotaEnvelope);
    return { status: 200, headers: ['Content-Type', jsonType], body };
  };
  const kept = quotas.kept(organizationId);
  return kept === undefined ? quotas.of(organizationId).then(answer) : answer(kept);
}

const quotaTexts = new WeakMap<QuotaRecord, string>();

/** Caches the text of each record; the store replaces the record if it changes. */
function quotaText(record: QuotaRecord, write: (record: QuotaRecord) => unknown): string {
  const known = quotaTexts.get(record);
  if (known !== undefined) return known;
  const text = JSON.stringify(write(record));
  quotaTexts.set(record, text);
  return text;
}

const longestCompared = 100;

function explainUnknownPath(method: string, path: string): Explanation {
  const own = path.replace(/^(\/[^/]+\/)[^/]+$/, '$1{id}');
  const methods = operations().flatMap((call): string[] => (call.path === own ? [call.method] : []));
  if (methods.length === 0) {
    const asked = path.slice(0, longestCompared);
    const near = closestMatch(asked, [...collectionPaths()], { maxDistance: Math.floor(asked.length / 2) });
    const reason = `the API has no path ${redactedTarget(path)}`;
    if (near === undefined) return { reason };
    return { reason, advice: `did you mean ${near}`, remedy: { step: 'edit', path: near } };
  }
  const [reason, advice] = [`${own} has no ${method}`, `methods of this path: ${methods.join(', ')}`];
  const meant = methods.find((one) => methods.length === 1 || (method === 'PUT' && one === 'PATCH'));
  return { reason, advice, ...(meant !== undefined && { remedy: { step: 'edit', method: meant } }) };
}
