import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Simulates a network between a client and a server on this machine by delaying all data. */
export class DelayingProxy {
  readonly #server: Server;
  readonly port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** @param target port of the server @param delay milliseconds in each direction */
  static async open(target: number, delay: number): Promise<DelayingProxy> {
    const server = createServer((client) => {
      // Opening a connection takes a round trip before anything is sent over it.
      const other = connect(target, '127.0.0.1');
      pass(client, other, delay, 2 * delay);
      pass(other, client, delay);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('the proxy has no port');
    return new DelayingProxy(server, address.port);
  }

  close(): void {
    this.#server.close();
  }
}

/** Passes on data, and then the end, in order and after the delay. */
function pass(from: Socket, to: Socket, delay: number, opening = 0): void {
  let before: Promise<unknown> = setTimeout(opening);
  const later = (what: () => void) => {
    before = Promise.all([before, setTimeout(delay)]).then(what);
  };
  from.on('data', (bytes: Buffer) => later(() => void to.write(bytes)));
  from.on('close', () => later(() => void to.destroy()));
  from.on('error', () => undefined);
}
