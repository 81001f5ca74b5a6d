import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Quota, quotaHeader } from '../api/quota.js';
import { type QuotaKind, quotaKinds } from '../api/resources/index.js';
import { authenticate } from './admission/authenticate.js';
import { type Answer, errorAnswer, jsonAnswer, payloadTooLarge, tooMuchInFlight } from './http/answer.js';
import { maxBodyBytes, readBody } from './http/body.js';
import { answerPreflight, requireHead } from './http/head.js';
import type { Handle } from './http/listener.js';
import { ownPath } from './http/url-space.js';
import { answerCall, requireCall } from './routes/calls.js';
import type { Service } from './service.js';
import { applyFault, isCutOff, recordRequest, ServiceRequest, spoil } from './service-request.js';
import { answerStub } from './stubs.js';

/** Answers a request to the control API, the health checks or the service, by its undecoded path. */
export function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
  control: Handle,
): Promise<void> {
  const { listener, store, options } = service;
  const { url = '/', method } = request;
  if (url.startsWith(ownPath.control) && /^(?:[/?#]|$)/.test(url.slice(ownPath.control.length)))
    return listener.answer(request, response, control);
  if (url.startsWith(ownPath.health) && (method === 'GET' || method === 'HEAD')) {
    const [path = ''] = url.split(/[?#]/, 1);
    const isReady = path === `${ownPath.health}/ready`;
    if (path === ownPath.health || isReady)
      return listener.answer(request, response, async () => {
        if (isReady) await store.requireReady();
        return jsonAnswer(200, { status: 'ok' });
      });
  }
  const preflight = answerPreflight(request, options.cors);
  if (preflight !== undefined) return listener.answer(request, response, () => preflight);
  return serveRequest(response, service);
}

/**
 * Checks a request to the service step by step, and answers it. Keys and quotas are usually in memory; then a request
 * without a body is answered without waiting.
 */
async function serveRequest(response: ServerResponse, service: Service): Promise<void> {
  const { listener, rateLimiter, stubs, dialect } = service;
  const asked = new ServiceRequest(response, service.targets);
  let answer: Answer;
  try {
    requireHead(asked.request);
    const delaying = applyFault(asked, service);
    if (delaying !== undefined) await delaying;
    if (isCutOff(asked)) return;
    const reading = readBody(response, maxBodyBytes, listener.connections.hold);
    asked.body = reading instanceof Promise ? await reading : reading;
    const authenticating = authenticate(asked, service);
    if (authenticating !== undefined) await authenticating;
    const admitting = rateLimiter.admit(asked.key?.keyId ?? '');
    if (admitting !== undefined) await admitting;
    asked.stub = stubs.find(asked.method, asked.local);
    asked.call = asked.stub ? undefined : requireCall(asked);
    if (asked.body === 'too large') throw payloadTooLarge();
    const answering = asked.stub ? answerStub(asked.stub) : answerCall(asked, service);
    answer = answering instanceof Promise ? await answering : answering;
    requireRoom(answer, asked, service);
  } catch (error) {
    const refusal = listener.toHttpError(error);
    asked.refusal = refusal;
    const { resource } = asked.call?.target ?? {};
    answer = dialect?.refuse(refusal, resource, service.clock()) ?? errorAnswer(refusal);
  }
  const quota = quotaHeaders(asked, service);
  listener.complete(asked.request, answer, quota instanceof Promise ? await quota : quota);
  recordRequest(asked, answer, service);
  if (!spoil(asked, answer)) listener.send(response, answer);
}

/** Smaller responses are not counted: the number of requests limits them. */
const smallBytes = 16 * 1024;

/** Refuses if memory lacks room for the body as text and as bytes. Changes are exempt: they must be reported. */
function requireRoom({ body }: Answer, { method, response }: ServiceRequest, { listener }: Service): void {
  if (typeof body !== 'string' || body.length <= smallBytes || (method !== 'GET' && method !== 'HEAD'))
    return;
  if (!listener.connections.hold(response)(2 * body.length)) throw tooMuchInFlight();
}

/**
 * Headers with the quota as the request left it, even a refused one. Only if its path has a quota and its key exists.
 * Server errors get none: reading the quota would delay them. Returns a promise only if the quota is not in memory.
 */
function quotaHeaders(
  { organizationId, refusal, path, quota }: ServiceRequest,
  { store: { quotas }, dialect }: Service,
): readonly string[] | Promise<readonly string[]> {
  if (organizationId === undefined || refusal?.refusal.check === 'server') return none;
  const kind = kindOfPath(path);
  if (kind === undefined || dialect?.isMissing(kind)) return none;
  const known = quota ?? quotas.kept(organizationId)?.[kind];
  if (known !== undefined) return write(known);
  // A failure must not hide a completed change: after an error, the client might repeat it.
  return quotas.of(organizationId).then(
    (record) => write(record[kind]),
    () => none,
  );
}

const none: readonly string[] = [];

function write(quota: Quota | undefined): readonly string[] {
  if (quota === undefined) return none;
  const { limit, used, remaining } = quota;
  return [quotaHeader.limit, `${limit}`, quotaHeader.used, `${used}`, quotaHeader.remaining, `${remaining}`];
}

function kindOfPath(path: string): QuotaKind | undefined {
  return quotaKinds.find(
    (kind) => path.startsWith(kind, 1) && (path.length === kind.length + 1 || path[kind.length + 1] === '/'),
  );
}
