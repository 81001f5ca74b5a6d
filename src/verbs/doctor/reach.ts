import type { X509Certificate } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { ExchangeTimeoutError } from '../../client/exchange/exchange.js';
import { ProxyPool, type ProxySettings } from '../../client/network/proxy.js';
import { verifiedTls } from '../../client/network/trusted-roots.js';
import type { Endpoint } from '../../text/base-url.js';

/** Work rejects with the signal's reason, or after `timeout` milliseconds with an ExchangeTimeoutError. */
export interface ReachLimits {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export type Reach = <Result>(use: (socket: Duplex) => Promise<Result>) => Promise<Result>;

/** Whether a TLS handshake succeeds, whatever the certificate. */
export function speaksTls(endpoint: Endpoint, limits: ReachLimits): Promise<boolean> {
  return directly(
    endpoint,
    limits,
  )((socket) => shakeHands(socket, endpoint, undefined, limits)).then(
    () => true,
    () => false,
  );
}

export function directly({ host, port }: Endpoint, limits: ReachLimits): Reach {
  return async (use) => {
    const socket: Socket = connect({ host, port });
    try {
      await waitForEvent(socket, 'connect', limits);
      return await use(socket);
    } finally {
      socket.destroy();
    }
  };
}

/** Connects through a proxy's tunnel (RFC 9110, section 9.3.6). */
export function reachThroughProxy(
  proxy: ProxySettings,
  { host, port }: Endpoint,
  secureContext: SecureContext | undefined,
  limits: ReachLimits,
): Reach {
  const uri = new URL(proxy.uri);
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const headers = { host: authority, ...proxyAuthorization(uri) };
  return async (use) => {
    const connect = buildConnector({
      ...verifiedTls,
      timeout: limits.timeout,
      ...(secureContext && { secureContext }),
    });
    const pool = new ProxyPool(proxy, uri, { connect });
    // undici would derive the proxy's TLS server name from the Host header; undici's types lack this option.
    const request = { path: authority, headers, servername: uri.hostname };
    try {
      const asked = pool.connect(request);
      const { socket } = await within(asked, limits);
      return await use(socket).finally(() => socket.destroy());
    } finally {
      await pool.destroy();
    }
  };
}

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' || password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}

export interface Handshake {
  readonly protocol: string;
  /** Node's code for refusing the certificate; `undefined` if accepted. */
  readonly refusal: string | undefined;
  readonly certificate: X509Certificate | undefined;
}

/** Makes a TLS handshake and inspects even a refused certificate; sends nothing afterwards. */
export async function shakeHands(
  way: Duplex,
  { host }: Endpoint,
  secureContext: SecureContext | undefined,
  limits: ReachLimits,
): Promise<Handshake> {
  const socket = connectTls({
    socket: way,
    host,
    // A server name cannot be an address (RFC 6066, section 3).
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    ...verifiedTls,
    rejectUnauthorized: false,
    ...(secureContext && { secureContext }),
  });
  try {
    await waitForEvent(socket, 'secureConnect', limits);
    return {
      protocol: socket.getProtocol() ?? 'TLS',
      refusal: readRefusal(socket),
      certificate: socket.getPeerX509Certificate(),
    };
  } finally {
    socket.destroy();
  }
}

// Node's types say that `authorizationError` is an Error, but it is a string with the code.
function readRefusal({ authorized, authorizationError }: TLSSocket): string | undefined {
  return authorized ? undefined : String(authorizationError);
}

async function waitForEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limits: ReachLimits,
): Promise<void> {
  const open = new Promise<void>((resolve, reject) => {
    socket.once(event, resolve);
    socket.on('error', reject);
  });
  await within(open, limits);
}

/** Rejects at the limits, and ignores a later result. */
export async function within<Result>(
  work: Promise<Result>,
  { timeout, signal }: ReachLimits,
): Promise<Result> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new ExchangeTimeoutError()), timeout);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    stop();
  }
}
