import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Knows a server's connections, so that it can stop without cutting off answers. */
export class Drain {
  readonly #grace: number;
  readonly #sockets = new Set<Socket>();
  /** Connections without a request so far: Node does not count them as idle. */
  readonly #unused = new Set<Socket>();
  #closing = false;

  /** `grace` is how many milliseconds requests at hand have to finish. */
  constructor(grace = 5000) {
    this.#grace = grace;
  }

  /** Whether the end has begun, so that connections are no longer kept. */
  get closing(): boolean {
    return this.#closing;
  }

  /** To be called before the server listens. */
  watch(server: Server): void {
    // Also a connection that is still in its TLS handshake has to go in the end.
    server.on('connection', (socket: Socket) => gather(this.#sockets, socket));
    const established = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(established, (socket: Socket) => gather(this.#unused, socket));
    // Node emits the second in place of the first for a request that waits for leave to send its body.
    server.on('request', ({ socket }) => this.#unused.delete(socket));
    server.on('checkContinue', ({ socket }) => this.#unused.delete(socket));
  }

  /** Finishes requests at hand, hangs up idle connections at once, and after the grace all that is left. */
  close(server: Server): Promise<void> {
    this.#closing = true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => destroy(this.#sockets), this.#grace);
      // This hangs up idle connections too.
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      destroy(this.#unused);
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
