import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of the next commit: cut off before or after it is done, or after it and for good. */
export type Cut = 'before' | 'after' | 'for good';

/** Stands between a server and its database, and cuts the connection of a commit, before or after it is done. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;
  readonly port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async open(target: number): Promise<CuttingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('the proxy has no port');
    const proxy = new CuttingProxy(server, address.port);
    server.on('connection', (socket) => proxy.#pass(socket, connect(target, '127.0.0.1')));
    return proxy;
  }

  cutNext(cut: Cut): void {
    this.#cut = cut;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #pass(client: Socket, database: Socket): void {
    const cutBoth = () => {
      client.destroy();
      database.destroy();
    };
    let cutAnswers: (() => void) | undefined;
    for (const socket of [client, database]) {
      this.#sockets.add(socket);
      socket.on('error', cutBoth);
      socket.on('close', cutBoth);
    }
    client.on('data', (bytes) => {
      const cut = bytes.includes('commit') ? this.#cut : undefined;
      if (cut !== undefined) this.#cut = undefined;
      if (cut === 'before') return cutBoth();
      if (cut !== undefined) cutAnswers = cut === 'for good' ? () => this.close() : cutBoth;
      database.write(bytes);
    });
    // The database answers a commit when it is done.
    database.on('data', (bytes) => (cutAnswers ? cutAnswers() : client.write(bytes)));
  }
}
