import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { openConnector, type ServiceConnector } from '../client/network/connector.js';
import type { DispatcherOptions } from '../client/network/dispatcher.js';

/** Milliseconds for which an unused connection is kept: shorter than services do, so that few requests meet its end. */
const idle = 4000;

/** Requests to the service at once; further ones wait. Each may hold two full buffers. */
const mostUpstream = 512;

/** Node's connections to the service, over sockets that undici opened: with TLS verified, through the environment's proxy. */
export class ProxyAgent extends Agent {
  /** The service's host and port, as `Host` has it. */
  readonly authority: string;
  readonly #connector: ServiceConnector;
  readonly #address: URL;

  /** @throws ConfigError as `openDispatcher` does */
  constructor(options: DispatcherOptions) {
    super({ keepAlive: true, timeout: idle, maxSockets: mostUpstream });
    this.#connector = openConnector(options);
    this.#address = new URL(options.origin);
    this.authority = this.#address.host;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const { host, hostname, protocol, port } = this.#address;
    this.#connector.connect({ host, hostname, protocol, port }, (...[error, socket]) => {
      // Node's type wants a socket beside an error, which it ignores.
      if (error !== null) Reflect.apply(callback ?? (() => undefined), undefined, [error]);
      else callback?.(null, socket);
    });
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.destroy();
    await this.#connector.close();
  }
}
