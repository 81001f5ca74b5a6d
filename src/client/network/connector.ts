import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { type Endpoint, toEndpoint } from '../../text/base-url.js';
import { findProxy, type ProxySettings } from './proxy.js';
import { readTrust, verifiedTls } from './trusted-roots.js';

export interface ConnectorOptions {
  readonly origin: string;
  /** PEM bundle to trust in addition to Node's roots, or `system`. */
  readonly caFile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens connections to one origin, directly or through the environment's proxy. Always verifies TLS. */
export interface Connector {
  readonly proxy: ProxySettings | undefined;
  connect(signal: AbortSignal): Promise<Socket>;
  /** Ends connections that are being opened; nothing can be opened afterwards. */
  close(): void;
}

/** Uses no proxy for loopback. @throws ConfigError for an unusable CA file or proxy address */
export function openConnector({ origin, caFile, env }: ConnectorOptions): Connector {
  const url = new URL(origin);
  const proxy = findProxy(url, env);
  const makeContext = readTrust(caFile, env);
  let context: SecureContext | undefined;
  // On demand, because parsing Node's roots takes longer than a handshake.
  const trust = () => (context ??= makeContext());
  const open = async (signal: AbortSignal) => {
    if (proxy === undefined) return openSocket(url, trust, signal);
    const { openTunnel } = await import('./tunnel.js');
    const toProxy = () => openSocket(new URL(proxy.uri), trust, signal);
    const { host } = toEndpoint(url);
    return shakeHands(await openTunnel(proxy, toEndpoint(url), toProxy, signal), host, trust(), signal);
  };
  const opening = new Set<AbortController>();
  let isClosed = false;
  return {
    proxy,
    async connect(signal) {
      if (isClosed) throw new Error('the connections are closed');
      const cut = new AbortController();
      const onAbort = () => cut.abort(signal.reason);
      signal.addEventListener('abort', onAbort);
      opening.add(cut);
      try {
        return await open(cut.signal);
      } finally {
        opening.delete(cut);
        signal.removeEventListener('abort', onAbort);
      }
    },
    close() {
      isClosed = true;
      for (const cut of opening) cut.abort(new Error('the connections were closed'));
    },
  };
}

/** Connects to a URL's host and, for `https:`, makes the TLS handshake. */
async function openSocket(url: URL, trust: () => SecureContext, signal: AbortSignal): Promise<Socket> {
  const endpoint = toEndpoint(url);
  const connecting = connectToHost(endpoint, signal);
  if (url.protocol !== 'https:') return connecting;
  // Created while the connection is being opened.
  const context = (async () => trust())();
  context.catch(() => undefined);
  const socket = await connecting;
  try {
    return await shakeHands(socket, endpoint.host, await context, signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function shakeHands(
  socket: Socket,
  host: string,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  // A server name cannot be an address (RFC 6066, section 3).
  const servername = isIP(host) === 0 ? host : '';
  const ALPNProtocols = ['http/1.1'];
  const secured = connectTls({ socket, host, servername, ALPNProtocols, secureContext, ...verifiedTls });
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', onAbort);
      act();
    };
    const onAbort = () => {
      settle(() => reject(signal.reason));
      secured.destroy();
    };
    signal.addEventListener('abort', onAbort);
    secured.once('secureConnect', () => settle(() => resolve(secured)));
    secured.on('error', (error) => settle(() => reject(error)));
  });
}

/** Milliseconds after which the next address is tried, too (RFC 8305, section 5). */
const untilNext = 250;

/** Connects to the address that is reached first, and gives up none before, however slow it is. */
async function connectToHost({ host, port }: Endpoint, signal: AbortSignal): Promise<Socket> {
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
  const hosts = addresses.map(({ address }) => address);
  return new Promise((resolve, reject) => {
    const trying = new Set<Socket>();
    let timer: NodeJS.Timeout | undefined;
    const settle = (winner?: Socket) => {
      clearTimeout(timer);
      hosts.length = 0;
      signal.removeEventListener('abort', onAbort);
      for (const socket of trying) if (socket !== winner) socket.destroy();
    };
    const onAbort = () => {
      settle();
      reject(signal.reason);
    };
    const tryNext = () => {
      clearTimeout(timer);
      const address = hosts.shift();
      if (address === undefined) return;
      const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true });
      trying.add(socket);
      socket.once('connect', () => {
        settle(socket);
        resolve(socket);
      });
      socket.on('error', (error) => {
        trying.delete(socket);
        if (hosts.length > 0) tryNext();
        else if (trying.size === 0) {
          settle();
          reject(error);
        }
      });
      if (hosts.length > 0) timer = setTimeout(tryNext, untilNext);
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else tryNext();
  });
}
