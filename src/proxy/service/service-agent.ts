import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { ExchangeTimeoutError } from '../../client/exchange/exchange.js';
import { type Connector, type ConnectorOptions, openConnector } from '../../client/network/connector.js';
import { maxHeaderSize } from '../../client/network/direct-sender.js';

/** Milliseconds to keep an idle connection: fewer than most services do, so that few requests hit a closing one. */
const idle = 4000;

/** Maximum connections of each HTTP client, Node's and undici's; further requests wait. Bounds memory. */
const maxServiceConnections = 512;

/**
 * Connections to the service for Node's client and undici's; undici opens all of them, with TLS verified and through
 * the environment's proxy.
 */
export class ProxyAgent extends Agent {
  /** The service's host and port, as in `Host`. */
  readonly authority: string;
  /** Whether the service has sent 100 Continue to a request that did not ask for it. */
  sendsContinue = false;
  readonly #connector: Connector;
  readonly #connectTimeout: number;
  readonly #pool: Pool;
  #hasJustConnected = false;

  /** @throws ConfigError as `openConnector` does */
  constructor(options: ConnectorOptions & { readonly connectTimeout: number }) {
    super({ keepAlive: true, timeout: idle, maxSockets: maxServiceConnections });
    this.#connector = openConnector(options);
    this.#connectTimeout = options.connectTimeout;
    this.authority = new URL(options.origin).host;
    this.#pool = new Pool(options.origin, {
      connect: (_target, callback) =>
        this.#open(
          (error) => callback(error, null),
          (socket) => callback(null, socket),
        ),
      connections: maxServiceConnections,
      keepAliveTimeout: idle,
      keepAliveMaxTimeout: idle,
      maxHeaderSize,
      // The relay detects silence.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#pool.on('connect', () => {
      this.#hasJustConnected = true;
      queueMicrotask(() => {
        this.#hasJustConnected = false;
      });
    });
  }

  /** Valid only within `onRequestStart`: whether that request is the first on its connection. */
  get hasJustConnected(): boolean {
    return this.#hasJustConnected;
  }

  dispatch(
    { method, url: path }: { readonly method: string; readonly url: string },
    headers: string[],
    handler: Dispatcher.DispatchHandler,
  ): void {
    this.#pool.dispatch({ method, path, headers }, handler);
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    // Node's type requires a socket even with an error, but Node ignores it.
    const fail = (error: Error) => Reflect.apply(callback ?? (() => undefined), undefined, [error]);
    this.#open(fail, (socket) => callback?.(null, socket));
  }

  #open(onError: (error: Error) => void, onOpen: (socket: Socket) => void): void {
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(new ExchangeTimeoutError()), this.#connectTimeout);
    this.#connector
      .connect(cut.signal)
      .finally(() => clearTimeout(timer))
      .then(onOpen, onError);
  }

  async close(): Promise<void> {
    this.destroy();
    await this.#pool.destroy();
    this.#connector.close();
  }
}
