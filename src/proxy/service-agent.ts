import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Connector, type ConnectorOptions, openConnector } from '../client/network/connector.js';

/** Milliseconds to keep an idle connection: fewer than most services do, so that few requests hit a closing one. */
const idle = 4000;

/** Maximum connections; further requests wait. Bounds memory. */
const maxConnections = 512;

/** Connections to the service, with TLS verified and through the environment's proxy. */
export class ServiceAgent extends Agent {
  readonly #connector: Connector;
  readonly #timeout: number;

  /** @param timeout milliseconds to connect @throws ConfigError as `openConnector` does */
  constructor(options: ConnectorOptions, timeout: number) {
    super({ keepAlive: true, timeout: idle, maxSockets: maxConnections });
    this.#connector = openConnector(options);
    this.#timeout = timeout;
  }

  override createConnection(
    _options: unknown,
    callback: (error: Error | null, stream: Duplex) => void = () => undefined,
  ): undefined {
    this.#connector.connect(AbortSignal.timeout(this.#timeout)).then(
      (socket) => callback(null, socket),
      // Node's type requires a stream even with an error, but Node ignores it.
      (error: unknown) => Reflect.apply(callback, undefined, [error]),
    );
  }

  close(): void {
    this.#connector.close();
    this.destroy();
  }
}
