import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, jsonAnswer } from './http/answer.js';
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
  if (url.startsWith(ownPath.control) && /^(?:[/?#]|$)/.test(url.slice(ownPath.control.length)))
    return service.listener.answer(request, response, async () => (await control())(request, response));
  if (url.startsWith(ownPath.health) && (method === 'GET' || method === 'HEAD')) {
    const [path = ''] = url.split(/[?#]/, 1);
    const isReady = path === `${ownPath.health}/ready`;
    if (path === ownPath.health || isReady)
      return service.listener.answer(request, response, async () => {
        if (isReady) await service.store.requireReady();
        return jsonAnswer(200, { status: 'ok' });
      });
  }
  const { cors = [] } = service.options;
  const preflight = cors.length === 0 ? undefined : answerPreflight(request, cors);
  if (preflight !== undefined) return service.listener.answer(request, response, () => preflight);
  return serveRequest(response, service);
}

/** Headers that pages may read beside the usual ones. */
const exposed = 'Date, Retry-After, X-Quota-Limit, X-Quota-Used, X-Quota-Remaining';

/** Lets the pages of these origins read responses. */
export function corsHeaders({ headers: { origin } }: IncomingMessage, origins: readonly string[]): string[] {
  if (origin === undefined || !origins.includes(origin)) return [];
  const names = ['Access-Control-Expose-Headers', exposed];
  return ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin', ...names];
}

/** The answer to a browser that asks whether a page may send a request, which has no credential. */
function answerPreflight(
  { method, headers }: IncomingMessage,
  origins: readonly string[],
): Answer | undefined {
  const asked = headers['access-control-request-method'];
  const isOurs = method === 'OPTIONS' && asked !== undefined && origins.includes(headers.origin ?? '');
  if (!isOurs) return undefined;
  const methods = ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE'];
  const names = ['Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '*'];
  return { status: 204, headers: [...methods, ...names, 'Access-Control-Max-Age', '600'], body: '' };
}
