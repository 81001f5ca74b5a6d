import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a server and its database, and cuts the connection of a commit, before or after it is done. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: 'before' | 'after' | undefined;
  readonly port: number;

  private constructor(server: Server, port: number) {
    [this.#server, this.port] = [server, port];
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

  cutNext(cut: 'before' | 'after'): void {
    this.#cut = cut;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #pass(client: Socket, database: Socket): void {
    const cutBoth = () => [client, database].map((socket) => socket.destroy());
    let [cutsAnswer, isNotingUses] = [false, false];
    for (const socket of [client, database]) {
      this.#sockets.add(socket);
      socket.on('error', cutBoth).on('close', cutBoth);
    }
    client.on('data', (bytes) => {
      // What a server does in the background is not what a test waits for.
      if (bytes.includes('begin')) isNotingUses = false;
      if (bytes.includes('set "last_used_at" =')) isNotingUses = true;
      const isCut = /commit|with room/.test(bytes.toString('latin1')) && !isNotingUses;
      const cut = isCut ? this.#cut : undefined;
      if (isCut) this.#cut = undefined;
      if (cut === 'before') return void cutBoth();
      cutsAnswer ||= cut === 'after';
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      // The database says so when a commit is done; what it answers to statements before it passes.
      if (cutsAnswer && /COMMIT|SELECT/.test(bytes.toString('latin1'))) cutBoth();
      else client.write(bytes);
    });
  }
}
