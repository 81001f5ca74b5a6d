import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { openConnector, type ServiceConnector } from '../../client/network/connector.js';
import { type DispatcherOptions, maxHeaderSize } from '../../client/network/dispatcher.js';

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
  readonly #connector: ServiceConnector;
  readonly #address: URL;
  readonly #pool: Pool;
  #hasJustConnected = false;

  /** @throws ConfigError as `openDispatcher` does */
  constructor(options: DispatcherOptions) {
    super({ keepAlive: true, timeout: idle, maxSockets: maxServiceConnections });
    this.#connector = openConnector(options);
    this.#address = new URL(options.origin);
    this.authority = this.#address.host;
    this.#pool = new Pool(options.origin, {
      connect: this.#connector.connect,
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
    const { host, hostname, protocol, port } = this.#address;
    this.#connector.connect({ host, hostname, protocol, port }, (...[error, socket]) => {
      // Node's type requires a socket even with an error, but Node ignores it.
      if (error !== null) Reflect.apply(callback ?? (() => undefined), undefined, [error]);
      else callback?.(null, socket);
    });
  }

  async close(): Promise<void> {
    this.destroy();
    await this.#pool.destroy();
    await this.#connector.close();
  }
}
