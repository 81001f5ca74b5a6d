import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { proxyRefusalStart } from '../api/error-message.js';
import { type FaultState, Faults } from '../api/faults/faults.js';
import { openConnector } from '../client/network/connector.js';
import { ConnectingAgent } from '../client/network/direct-sender.js';
import { answerBrokenRequest } from '../server/http/head.js';
import { listen } from '../server/http/listen.js';
import { findRefusal } from './admit.js';
import type { Observer } from './exchange.js';
import { Relay, type RelayOptions, type Signer } from './relay.js';

export interface ProxyOptions {
  readonly origin: string;
  readonly caFile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** 0 picks a free port. */
  readonly port: number;
  /** Maximum milliseconds without data from the service or the client within an exchange. */
  readonly timeout: number;
  /** Forward only GET, HEAD and OPTIONS. */
  readonly isReadOnly?: boolean | undefined;
  /** Signs requests that carry its token. */
  readonly signer?: Signer | undefined;
  /** Called with every finished exchange; without observers, bodies are not copied. */
  readonly observers?: readonly Observer[] | undefined;
  /** Bytes of a response's body to copy for observers; default: 1 MiB. */
  readonly keptResponse?: number | undefined;
  readonly faults?: readonly string[] | undefined;
  /** Milliseconds that exchanges in progress have to finish at shutdown; default: 5,000. */
  readonly grace?: number | undefined;
}

export interface RunningProxy {
  readonly url: string;
  readonly faults: () => readonly FaultState[];
  /** Waits for exchanges in progress, no longer than the grace period, then closes everything. */
  close(): Promise<void>;
}

/** Loopback only: anyone who reaches the proxy reaches the service through it. */
const loopbackHost = '127.0.0.1';

const serverOptions = {
  /** More than most services accept, so that the service refuses long headers itself. */
  maxHeaderSize: 64 * 1024,
  headersTimeout: 10_000,
  // None, because large bodies take time; the relay ends stalled requests.
  requestTimeout: 0,
  keepAliveTimeout: 60_000,
};

/** Maximum connections of clients (further ones are closed) and to the service (further requests wait). */
const [maxConnections, maxSockets] = [4096, 512];

/**
 * Starts a proxy in front of a service.
 * @throws UsageError for an unusable port or an invalid fault rule; ConfigError as `openConnector` does
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { origin, timeout, signer, observers = [], grace = 5000, isReadOnly = false } = options;
  const { keptResponse = 1024 * 1024 } = options;
  const faults = new Faults(options.faults);
  const connector = openConnector(options);
  const agent = new ConnectingAgent(connector, { maxSockets }, timeout);
  const relaying: RelayOptions = { agent, origin, timeout, signer, observers, keptResponse };
  /** The last two responses of a connection. */
  const last = new WeakMap<Socket, readonly ServerResponse[]>();
  let port = 0;
  const server = createServer(serverOptions, (request, response) => {
    last.set(request.socket, [...(last.get(request.socket) ?? []).slice(-1), response]);
    const relay = new Relay(request, response, relaying);
    const refusal = findRefusal(request, port, isReadOnly);
    if (refusal === undefined) relay.send(faults.next(request.method ?? '', request.url ?? ''));
    else relay.refuse(refusal);
    response.once('close', () => server.listening || setImmediate(() => server.closeIdleConnections()));
  });
  // By default, Node answers in place of a pending response.
  server.on('clientError', (error, socket: Socket) =>
    answerBrokenRequest(error, socket, last.get(socket) ?? [], () => undefined, proxyRefusalStart),
  );
  // By default, Node drops headers beyond a limit without an error.
  Object.assign(server, { maxHeadersCount: 0, maxConnections });
  port = await listen(server, loopbackHost, options.port);
  return {
    url: `http://${loopbackHost}:${port}`,
    faults: () => faults.get(),
    async close() {
      const timer = setTimeout(() => server.closeAllConnections(), grace);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(timer);
      connector.close();
      agent.destroy();
    },
  };
}
