import { createServer, type Server } from 'node:http';
import { type FaultState, Faults } from '../api/faults/faults.js';
import { readMessage, readSystemCode, UsageError } from '../errors/errors.js';
import { type Admission, findRefusal, listAuthorities } from './admit.js';
import type { KeptBytes, Observer } from './exchange.js';
import { Relay, type RelayOptions } from './relay.js';
import { ServiceAgent } from './service-agent.js';
import type { Signer } from './signer.js';

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
  // None, because large bodies take time; the relay ends stalled requests.
  requestTimeout: 0,
  keepAliveTimeout: 60_000,
};

const mebibyte = 1024 * 1024;

/** How many client connections may be open; further ones are closed. */
const maxConnections = 4096;

/**
 * Starts a proxy in front of a service, for plain HTTP on 127.0.0.1.
 *
 * @throws UsageError for an unusable port or an invalid fault rule
 * @throws ConfigError as `openConnector` does
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { origin, timeout, signer, observers = [], grace = 5000, isReadOnly = false } = options;
  const { kept = { request: mebibyte, response: mebibyte } } = options;
  const faults = new Faults(options.faults);
  const agent = new ServiceAgent(options, timeout);
  const relaying: RelayOptions = { agent, origin, timeout, signer, observers, kept };
  let admission: Admission = { port: 0, authorities: new Set(), isReadOnly };
  let requests = 0;
  const server = createServer(proxyLimits, (request, response) => {
    requests += 1;
    const relay = new Relay(request, response, relaying);
    const refusal = findRefusal(request, admission);
    if (refusal === undefined) relay.send(faults.next(request.method ?? '', request.url ?? ''));
    else relay.refuse(refusal);
    response.once('close', () => server.listening || setImmediate(() => server.closeIdleConnections()));
  });
  // By default, Node drops headers beyond a limit without an error.
  server.maxHeadersCount = 0;
  server.maxConnections = maxConnections;
  const port = await listenLocally(server, options.port);
  admission = { port, authorities: listAuthorities(port), isReadOnly };
  return {
    url: `http://${loopbackHost}:${port}`,
    faults: () => faults.get(),
    requests: () => requests,
    async close() {
      await drain(server, grace);
      agent.close();
    },
  };
}

function listenLocally(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(port, error)));
    server.listen({ host: loopbackHost, port }, () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
    });
  });
}

function toListenError(port: number, cause: unknown): UsageError {
  const isTaken = readSystemCode(cause) === 'EADDRINUSE';
  const why = isTaken ? 'is in use' : `cannot be used: ${readMessage(cause)}`;
  const hint = 'choose another port, or 0 for a free one';
  return new UsageError(`port ${port} on ${loopbackHost} ${why}`, { hint, cause });
}

function drain(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), grace);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
