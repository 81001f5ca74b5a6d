import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Knows a server's connections, so that it can stop without cutting off answers. */
export class Drain {
  readonly #grace: number;
  readonly #sockets = new Set<Socket>();
  /** Connections without a request so far: Node does not count them as idle. */
  readonly #unused = new Set<Socket>();
  /** Requests that are delayed on purpose; shutdown does not wait for them. */
  readonly #postponed = new Map<ServerResponse, () => void>();
  readonly #end = new AbortController();

  /** `grace` is the time in milliseconds for requests in progress. */
  constructor(grace = 5000) {
    this.#grace = grace;
  }

  /** Whether shutdown has begun, so that connections are no longer kept alive. */
  get closing(): boolean {
    return this.#end.signal.aborted;
  }

  /** Aborted when shutdown begins, for streams that would never end by themselves. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** To be called before the server listens. */
  watch(server: Server): void {
    // Includes connections that are still in their TLS handshake.
    server.on('connection', (socket: Socket) => gather(this.#sockets, socket));
    const established = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(established, (socket: Socket) => gather(this.#unused, socket));
    // Node emits the second event instead of the first for requests with `Expect: 100-continue`.
    server.on('request', ({ socket }) => this.#unused.delete(socket));
    server.on('checkContinue', ({ socket }) => this.#unused.delete(socket));
  }

  /** Runs something for a request after a delay in milliseconds, unless its connection or the server is closed before. */
  postpone(response: ServerResponse, milliseconds: number, work: () => void): void {
    const { socket } = response.req;
    if (this.closing) return void socket.destroy();
    const forget = () => {
      clearTimeout(timer);
      this.#postponed.delete(response);
    };
    const timer = setTimeout(() => {
      forget();
      if (!socket.destroyed) work();
    }, milliseconds);
    this.#postponed.set(response, forget);
    response.once('close', forget);
  }

  /**
   * Finishes requests in progress; closes idle connections and those of delayed requests at once, and after the grace
   * period all others.
   */
  close(server: Server): Promise<void> {
    this.#end.abort();
    return new Promise((resolve) => {
      const timer = setTimeout(() => destroy(this.#sockets), this.#grace);
      // An answer whose head was already sent could not announce that its connection will close (Node adds a second to
      // this).
      server.keepAliveTimeout = 1;
      // This hangs up idle connections too.
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      destroy(this.#unused);
      for (const [{ req }, forget] of this.#postponed) {
        forget();
        req.socket.destroy();
      }
    });
  }
}

function gather(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

function destroy(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) socket.destroy();
}
