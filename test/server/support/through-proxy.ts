import { STATUS_CODES } from 'node:http';
import { inject } from 'vitest';
import { startProxy } from '../../../src/proxy/proxy-server.js';
import type { RunningServer } from '../../../src/server/index.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether clients reach servers through `orgctl proxy`. */
    proxied?: boolean;
  }
}

const via = 'Via: 1.1 orgctl\r\n';
const ownRefusal = /\{"statusCode":(\d+),"message":"orgctl proxy: [^"]*"\}/g;

/** A server as its clients are to reach it: as it is, or at the address of a proxy in front of it. */
export async function reachable(server: RunningServer): Promise<RunningServer> {
  if (!inject('proxied')) return server;
  const { origin } = new URL(server.url);
  const { caFile } = server;
  const proxy = await startProxy({ origin, caFile, env: {}, port: 0, timeout: 30_000, grace: 0 });
  const close = async () => {
    await server.close();
    await proxy.close();
  };
  return { ...server, url: proxy.url, close, [Symbol.asyncDispose]: close };
}

/** What the service shows, or what the proxy shows instead because it answers by itself. */
export function through<Value>(direct: Value, proxied: Value): Value {
  return inject('proxied') ? proxied : direct;
}

const names = '(?:a|127\\.0\\.0\\.1|localhost)';
const hostsOf = new RegExp(`(?<=\\r\\nHost: ?|^GET https?://)${names}(?=\\r\\n|[/?# ])`, 'gi');

/** A request's bytes with the name of the proxy, which takes no other `Host`. */
export function addressed(bytes: string, { url }: Pick<RunningServer, 'url'>): string {
  return inject('proxied') ? bytes.replaceAll(hostsOf, new URL(url).host) : bytes;
}

/**
 * What came back, without the one header that the proxy adds, and with the text of the service where the proxy refused what
 * is no HTTP. @throws when a response has no `Via`
 */
export function withoutVia(received: string): string {
  if (!inject('proxied')) return received;
  const [, ...heads] = received.split(/(?=HTTP\/1\.1 [2-5]\d\d )/);
  if (heads.some((head) => !head.includes(via))) throw new Error(`no Via in ${received}`);
  return received
    .replaceAll(via, '')
    .replaceAll(ownRefusal, (_body, status) =>
      JSON.stringify({ statusCode: Number(status), message: STATUS_CODES[status] }),
    );
}
