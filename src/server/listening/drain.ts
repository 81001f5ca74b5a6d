import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Stops a server, with a grace period for requests in progress. */
export class Drain {
  readonly #grace: number;
  readonly #sockets = new Set<Socket>();
  /** Node does not count unused connections as idle. */
  readonly #unused = new Set<Socket>();
  /** Responses delayed on purpose; shutdown drops them. */
  readonly #postponed = new Map<ServerResponse, () => void>();
  readonly #end = new AbortController();

  constructor(grace = 5000) {
    this.#grace = grace;
  }

  get closing(): boolean {
    return this.#end.signal.aborted;
  }

  /** Aborted when shutdown begins, to end endless streams. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Call this before the server listens. */
  watch(server: Server): void {
    // Includes connections in their TLS handshake.
    server.on('connection', (socket: Socket) => gather(this.#sockets, socket));
    const established = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(established, (socket: Socket) => gather(this.#unused, socket));
    // Node emits only one of these events per request, depending on the Expect header.
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
      server.on(event, ({ socket }) => this.#unused.delete(socket));
    }
  }

  /** Delays work for a response; drops it if the connection or the server closes first. */
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

  /** Gives requests in progress the grace period to finish; closes everything else immediately. */
  close(server: Server): Promise<void> {
    this.#end.abort();
    return new Promise((resolve) => {
      const timer = setTimeout(() => destroy(this.#sockets), this.#grace);
      // For connections whose response began without `Connection: close`. Node closes them a second later.
      server.keepAliveTimeout = 1;
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
