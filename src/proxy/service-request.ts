import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import type { ProxyAgent } from './service-agent.js';

/** Bytes of the head of a response. */
const maxHeaderSize = 64 * 1024;

/** What the service may do about a request. */
interface ServiceEvents {
  onContinue(): void;
  onEarlyHints(link: string | string[]): void;
  onUpgrade(): void;
  onResponse(received: IncomingMessage): void;
  onError(error: Error, upstream: ClientRequest): void;
}

/** Opens a request to the service. @throws what Node says of a request that cannot be sent */
export function openServiceRequest(
  { method, url }: Pick<IncomingMessage, 'method' | 'url'>,
  headers: string[],
  agent: ProxyAgent,
  on: ServiceEvents,
): ClientRequest {
  const upstream = openRequest({ agent, method, path: url, headers, setHost: false, maxHeaderSize });
  // Node would drop headers beyond a number of its own.
  upstream.maxHeadersCount = 0;
  upstream.on('continue', on.onContinue);
  upstream.on('information', ({ statusCode, headers: { link } }) => {
    if (statusCode === 103 && link !== undefined) on.onEarlyHints(link);
  });
  upstream.on('upgrade', (_response, socket) => {
    socket.destroy();
    on.onUpgrade();
  });
  upstream.on('response', on.onResponse);
  upstream.on('error', (error) => on.onError(error, upstream));
  return upstream;
}
