import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerPreflight } from './cors.js';
import { jsonAnswer } from './http/answer.js';
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
