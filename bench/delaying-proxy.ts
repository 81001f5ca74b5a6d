import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Stands for a network between a client and a server on this machine: what passes is so many milliseconds late. */
export class DelayingProxy {
  readonly #server: Server;
  readonly port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** @param delay milliseconds each way */
  static async open(target: number, delay: number): Promise<DelayingProxy> {
    const server = createServer((client) => {
      // A connection takes a round trip to be made, before anything is sent over it.
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

/** Each piece comes after its delay, in order; so does the end. */
function pass(from: Socket, to: Socket, delay: number, opening = 0): void {
  let before: Promise<unknown> = setTimeout(opening);
  const later = (what: () => void) => {
    before = Promise.all([before, setTimeout(delay)]).then(what);
  };
  from.on('data', (bytes: Buffer) => later(() => void to.write(bytes)));
  from.on('close', () => later(() => void to.destroy()));
  from.on('error', () => undefined);
}
