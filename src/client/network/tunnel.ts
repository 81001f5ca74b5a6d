import { isIP, Socket } from 'node:net';
import { Client } from 'undici';
import type { Endpoint } from '../../text/base-url.js';
import { ProxyError, type ProxySettings } from './proxy.js';

/**
 * Asks a proxy for a tunnel (RFC 9110, section 9.3.6).
 * @param toProxy opens the connection to the proxy
 * @throws ProxyError if there is none; the reason of an abort
 */
export async function openTunnel(
  proxy: ProxySettings,
  { host, port }: Endpoint,
  toProxy: () => Promise<Socket>,
  signal: AbortSignal,
): Promise<Socket> {
  const uri = new URL(proxy.uri);
  // For undici, the connection is plain: `toProxy` makes any TLS handshake.
  const client = new Client(`http://${uri.host}`, {
    headersTimeout: 0,
    connect(_options, callback) {
      toProxy().then(
        (socket) => callback(null, socket),
        (error) => callback(error instanceof Error ? error : new Error('aborted', { cause: error }), null),
      );
    },
  });
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const headers = { host: authority, ...authorization(uri) };
  try {
    const tunnel = await client.connect({ path: authority, headers, signal });
    tunnel.socket.on('error', () => undefined);
    if (tunnel.statusCode === 200 && tunnel.socket instanceof Socket) return tunnel.socket;
    tunnel.socket.destroy();
    const offered = [tunnel.headers['proxy-authenticate'] ?? []].flat();
    throw new ProxyError(proxy, { status: tunnel.statusCode, offered });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw cause instanceof ProxyError ? cause : new ProxyError(proxy, { cause });
  } finally {
    // The tunnel's socket no longer belongs to the client.
    client.destroy().catch(() => undefined);
  }
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' || password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
