import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What becomes of the next commit: cut off before or after it is done, or after it and for good; or after it, and
 * nothing passes until `release`.
 */
export type Cut = 'before' | 'after' | 'for good' | 'holding';

/** Stands between a server and its database, and cuts the connection of a commit, before or after it is done. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #clients = new Set<Socket>();
  readonly #messages: Buffer[] = [];
  #cut: Cut | undefined;
  #holding = false;
  #wasCut: () => void = () => undefined;
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

  /** How many messages to the database had this text in them. */
  count(text: string): number {
    return this.#messages.filter((bytes) => bytes.includes(text)).length;
  }

  /** Resolves when it happened. */
  cutNext(cut: Cut): Promise<void> {
    this.#cut = cut;
    return new Promise((resolve) => {
      this.#wasCut = resolve;
    });
  }

  release(): void {
    this.#holding = false;
    for (const client of this.#clients) client.resume();
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
    let isNotingUses = false;
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    client.on('data', (bytes) => {
      // What a server does in the background is not what a test waits for.
      if (bytes.includes('begin')) isNotingUses = false;
      if (bytes.includes('set "last_used_at" =')) isNotingUses = true;
      const cut =
        (bytes.includes('commit') || bytes.includes('with room')) && !isNotingUses ? this.#cut : undefined;
      if (cut !== undefined) this.#cut = undefined;
      if (cut === 'before') return cutBoth();
      if (cut !== undefined) {
        cutAnswers = () => {
          if (cut === 'holding') this.#hold();
          if (cut === 'for good') this.close();
          else cutBoth();
          this.#wasCut();
        };
      }
      this.#messages.push(bytes);
      database.write(bytes);
    });
    if (this.#holding) client.pause();
    database.on('data', (bytes) => {
      // The database says so when a commit is done; what it answers to statements before it passes.
      if (cutAnswers !== undefined && /COMMIT|INSERT/.test(bytes.toString('latin1'))) cutAnswers();
      else client.write(bytes);
    });
  }

  #hold(): void {
    this.#holding = true;
    for (const client of this.#clients) client.pause();
  }
}
