import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds that requests at hand have to finish. */
const grace = 5000;

/** Knows a server's connections, so that it can stop without cutting off answers. */
export class Drain {
  readonly #sockets = new Set<Socket>();
  #closing = false;

  /** Whether the end has begun, so that connections are no longer kept. */
  get closing(): boolean {
    return this.#closing;
  }

  /** To be called before the server listens: also connections still in their TLS handshake count. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Finishes requests at hand, hangs up idle connections at once, and after 5 seconds all that is left. */
  close(server: Server): Promise<void> {
    this.#closing = true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const socket of this.#sockets) socket.destroy();
      }, grace);
      // Refused only for a server that never listened, which has nothing to finish.
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      server.closeIdleConnections();
    });
  }
}
