import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonAnswer } from './http/answer.js';
import { answerPreflight } from './http/cors.js';
import type { Handle } from './http/listener.js';
import { ownPath } from './http/url-space.js';
import { serveRequest } from './serve-request.js';
import type { Service } from './service.js';

/** Passes a request to the control API, the health checks or the service, by the path as it is written. */
export function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
  control: () => Promise<Handle>,
): Promise<void> {
  const { url = '/', method } = request;
  if (isBelow(url, ownPath.control))
    return service.listener.answer(request, response, async () => (await control())(request, response));
  if (isBelow(url, ownPath.health) && (method === 'GET' || method === 'HEAD')) {
    const [path = ''] = url.split(/[?#]/, 1);
    if (path === ownPath.health) return service.listener.answer(request, response, answerOk);
    if (path === `${ownPath.health}/ready`)
      return service.listener.answer(request, response, () => requireReady(service).then(answerOk));
  }
  const { cors = [] } = service.options;
  const preflight = cors.length === 0 ? undefined : answerPreflight(request, cors);
  if (preflight !== undefined) return service.listener.answer(request, response, () => preflight);
  return serveRequest(response, service);
}

function isBelow(target: string, path: string): boolean {
  return target.startsWith(path) && /^(?:[/?#]|$)/.test(target.slice(path.length));
}

function answerOk() {
  return jsonAnswer(200, { status: 'ok' });
}

const checks = new WeakMap<Service, Promise<void>>();

/** One check at a time, because requests for it need no credential. @throws StoreUnavailable */
function requireReady(service: Service): Promise<void> {
  const running = checks.get(service);
  if (running !== undefined) return running;
  const check = service.store.requireReady().finally(() => checks.delete(service));
  checks.set(service, check);
  return check;
}
