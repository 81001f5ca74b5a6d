import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type FaultState, Faults } from '../api/faults/faults.js';
import { readMessage, readSystemCode, UsageError } from '../errors/errors.js';
import { type Admission, findRefusal, listAuthorities, toOriginForm } from './admit.js';
import { CopyBudget, maxCopiedBytes } from './body-copy.js';
import { ConnectionTurns } from './connection-turns.js';
import type { Observer } from './exchange.js';
import { ExchangeNotes, type KeptBytes, type ReceivedHead } from './exchange-notes.js';
import { hangUp, type ProxyRefusal } from './proxy-refusal.js';
import { Relay, type RelayOptions } from './relay.js';
import { ProxyAgent } from './service/service-agent.js';
import type { Signer } from './sign-request.js';

export interface ProxyOptions {
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** PEM bundle of extra CAs. */
  readonly caFile?: string | undefined;
  /** Environment variables, such as `HTTPS_PROXY`, `NO_PROXY` and `NODE_EXTRA_CA_CERTS`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** 0 picks a free port. */
  readonly port: number;
  /** Maximum milliseconds without data from the service or the client within an exchange. */
  readonly timeout: number;
  /** Whether to forward only GET, HEAD and OPTIONS. */
  readonly isReadOnly?: boolean | undefined;
  /** Signs requests that carry its token; without a signer, nothing is signed. */
  readonly signer?: Signer | undefined;
  /** Called with every finished exchange; without observers, bodies are not copied. */
  readonly observers?: readonly Observer[] | undefined;
  /** Maximum bytes of a body to copy for observers; default: 1 MiB. */
  readonly kept?: KeptBytes | undefined;
  /** Fault rules, as for `serve`. */
  readonly faults?: readonly string[] | undefined;
  /** Milliseconds that exchanges in progress have to finish at shutdown; default: 5,000. */
  readonly grace?: number | undefined;
}

export interface RunningProxy {
  /** The address of the proxy, without a trailing slash. */
  readonly url: string;
  readonly faults: () => readonly FaultState[];
  /** The number of requests so far that Node could parse, including refused ones. */
  readonly requests: () => number;
  /** Waits for exchanges in progress, no longer than the grace period, then closes everything. */
  close(): Promise<void>;
}

/** Loopback only: anyone who reaches the proxy reaches the service through it. */
const loopbackHost = '127.0.0.1';

const proxyLimits = {
  /** Bytes of a request's headers: more than most services accept, so that the service refuses long ones itself. */
  maxHeaderSize: 64 * 1024,
  /** Milliseconds to receive a request's headers. */
  headersTimeout: 10_000,
  // None, because large bodies take time; `SilenceTimer` ends stalled requests.
  requestTimeout: 0,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 1000,
  // `admit.ts` checks `Host`.
  requireHostHeader: false,
};

const allOfBodies: KeptBytes = { request: maxCopiedBytes, response: maxCopiedBytes };

/** How many client connections may be open; further ones are closed. */
const maxConnections = 4096;

/**
 * Starts a proxy in front of a service, for plain HTTP on 127.0.0.1.
 *
 * @throws UsageError for an unusable port or an invalid fault rule
 * @throws ConfigError as `openConnector` does
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const {
    origin,
    timeout,
    signer,
    observers = [],
    grace = 5000,
    isReadOnly = false,
    kept = allOfBodies,
  } = options;
  const faults = new Faults(options.faults);
  const agent = new ProxyAgent({ ...options, connectTimeout: timeout });
  const budget = observers.length === 0 ? undefined : new CopyBudget();
  const relaying: RelayOptions = { agent, origin, timeout, signer, observers, budget, kept };
  const turns = new ConnectionTurns();
  let admission: Admission = { port: 0, authorities: new Set(), isReadOnly };
  const server = createServer(proxyLimits, handle);
  let requests = 0;
  function handle(request: IncomingMessage, response: ServerResponse): void {
    requests += 1;
    turns.take(request, response, () => {
      request.url = toOriginForm(request.url ?? '', admission);
      const relay = new Relay(request, response, relaying);
      const refusal = findRefusal(request, admission);
      if (refusal === undefined) relay.send(faults.next(request.method ?? '', request.url ?? ''));
      else relay.refuse(refusal);
      return relay;
    });
  }
  prepareServer(server, handle, turns, relaying);
  try {
    const port = await listenLocally(server, options.port);
    admission = { port, authorities: listAuthorities(port), isReadOnly };
  } catch (error) {
    await agent.close();
    throw error;
  }
  return {
    url: `http://${loopbackHost}:${admission.port}`,
    faults: () => faults.get(),
    requests: () => requests,
    async close() {
      await drain(server, turns, grace);
      await agent.close();
    },
  };
}

function prepareServer(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  turns: ConnectionTurns,
  relaying: RelayOptions,
): void {
  // By default, Node drops headers beyond a limit without an error.
  server.maxHeadersCount = 0;
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => turns.open(socket));
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('connect', (request, socket) => {
    refuseAndClose(socket, { status: 501, reason: 'CONNECT is not supported' }, relaying, request);
  });
  server.on('clientError', (error, socket) => answerBroken(error, socket, turns, relaying));
}

/** As in the journal of `serve`. */
const unreadable: ReceivedHead = { method: '-', url: '-', rawHeaders: [] };

/** Refuses a request that gets no `Relay`, and tells the observers. */
function refuseAndClose(
  socket: Duplex,
  refusal: ProxyRefusal,
  { observers, budget, kept }: RelayOptions,
  request = unreadable,
): void {
  const response = hangUp(socket, refusal);
  if (response === undefined || observers.length === 0) return;
  const notes = new ExchangeNotes(budget, kept);
  notes.end('refused', refusal.reason);
  notes.response.add(Buffer.from(response.body));
  notes.noteHead({ status: refusal.status, reason: response.reason, headers: response.headers });
  const exchange = notes.toExchange(request);
  for (const observe of observers) observe(exchange);
}

/** Statuses for the error codes of Node's HTTP server; any other code gets 400. */
const brokenStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function answerBroken(error: Error, socket: Duplex, turns: ConnectionTurns, relaying: RelayOptions): void {
  const code = readSystemCode(error) ?? '';
  const current = turns.findCurrent(socket);
  const hasLeft = code === 'HPE_INVALID_EOF_STATE' && current?.response.req.complete === false;
  if (code === 'ECONNRESET' || hasLeft) return void socket.destroy();
  const refusal: ProxyRefusal = {
    status: brokenStatuses[code] ?? 400,
    reason: `the request is malformed, too large or too slow (${code || 'no error code'})`,
  };
  if (current === undefined) refuseAndClose(socket, refusal, relaying);
  else if (current.response.req.complete) {
    current.response.once('close', () => answerBroken(error, socket, turns, relaying));
  } else current.relay.breakOff(refusal);
}

function listenLocally(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: unknown) => reject(toListenError(port, error));
    server.once('error', onError);
    server.listen({ host: loopbackHost, port }, () => {
      server.off('error', onError);
      const address: AddressInfo | string | null = server.address();
      if (address === null || typeof address === 'string') reject(new TypeError('the proxy has no port'));
      else resolve(address.port);
    });
  });
}

function toListenError(port: number, cause: unknown): UsageError {
  const hint = 'choose another port, or 0 for a free one';
  const code = readSystemCode(cause);
  if (code === 'EADDRINUSE')
    return new UsageError(`port ${port} on ${loopbackHost} is in use`, { hint, cause });
  if (code === 'EACCES') return new UsageError(`port ${port} may not be used by this user`, { hint, cause });
  return new UsageError(`cannot listen on ${loopbackHost}, port ${port}: ${readMessage(cause)}`, {
    hint,
    cause,
  });
}

function drain(server: Server, turns: ConnectionTurns, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => turns.destroy(), grace);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    turns.drain();
  });
}
