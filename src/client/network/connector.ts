import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { toEndpoint } from '../../text/base-url.js';
import { underSignals } from '../exchange/exchange.js';
import { findProxy, openTunnel } from './proxy.js';
import { readTrust, verifiedTls } from './trusted-roots.js';

export interface ConnectorOptions {
  readonly origin: string;
  readonly caFile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Connector = ReturnType<typeof openConnector>;

/**
 * Opens connections to one origin, through the environment's proxy or, to loopback or without a proxy, directly. Always
 * verifies TLS. `close` ends connections that are being opened; nothing can be opened afterwards.
 * @throws ConfigError for an unusable CA file or proxy address
 */
export function openConnector({ origin, caFile, env }: ConnectorOptions) {
  const url = new URL(origin);
  const target = toEndpoint(url);
  const proxy = findProxy(url, env);
  const makeContext = readTrust(caFile, env);
  let context: SecureContext | undefined;
  // On demand, because parsing Node's roots takes longer than a handshake.
  const trust = () => (context ??= makeContext());
  const open = async (signal: AbortSignal) => {
    if (proxy === undefined) return openSocket(url, trust, signal);
    const toProxy = () => openSocket(new URL(proxy.uri), trust, signal);
    return shakeHands(await openTunnel(proxy, target, toProxy, signal), target.host, trust(), signal);
  };
  const closing = new AbortController();
  return {
    connect: (signal: AbortSignal) => underSignals([signal, closing.signal], (cut) => open(cut.signal)),
    close: () => closing.abort(new Error('the connections are closed')),
  };
}

/** Milliseconds until Node.js gives up an address and tries the next; its default is too short for slow networks. */
const untilNext = 1000;

/** Connects to a URL's host and, for `https:`, makes the TLS handshake. */
async function openSocket(url: URL, trust: () => SecureContext, signal: AbortSignal): Promise<Socket> {
  const { host, port } = toEndpoint(url);
  const options = { host, port, noDelay: true, keepAlive: true, autoSelectFamilyAttemptTimeout: untilNext };
  const connecting = untilOpen(connectTcp(options), 'connect', signal);
  if (url.protocol !== 'https:') return connecting;
  // Makes the TLS context while the connection is being opened.
  const [socket, context] = await Promise.all([connecting, Promise.resolve().then(trust)]);
  return shakeHands(socket, host, context, signal);
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
  return untilOpen(secured, 'secureConnect', signal);
}

/** The socket, as soon as it has emitted `event`; if it fails or is aborted before, it is destroyed. */
async function untilOpen(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  // The HTTP client has its own listener for later errors.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}
