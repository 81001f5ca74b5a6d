import type { Socket } from 'node:net';

/** A request that occupies a connection, and perhaps memory, without having proved knowledge of a secret. */
export interface UnprovenRequest {
  /** Bytes of memory that would be free without it. */
  readonly heldBytes: number;
  /** Bytes per second in which its body has come so far. */
  readonly speed: number;
  /** Ends it, and gives back at once what it holds. */
  giveWay(): void;
}

/**
 * The unproven requests under way, at most one for each connection. When there is no room for others, the slowest give
 * way: whoever has no key can fill the server only with requests that are no trouble to end.
 */
export class UnprovenRequests {
  readonly #requests = new Map<Socket, UnprovenRequest>();

  add(socket: Socket, request: UnprovenRequest): void {
    this.#requests.set(socket, request);
  }

  delete(socket: Socket): void {
    this.#requests.delete(socket);
  }

  /** The connection of the slowest, among these connections. */
  slowestOf(sockets: Iterable<Socket>): Socket | undefined {
    let slowest: Socket | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const socket of sockets) {
      const speed = this.#requests.get(socket)?.speed ?? Number.POSITIVE_INFINITY;
      if (speed >= least) continue;
      least = speed;
      slowest = socket;
    }
    return slowest;
  }

  /** Ends the request of a connection. */
  end(socket: Socket): void {
    this.#requests.get(socket)?.giveWay();
  }

  /** Ends the slowest of those that hold memory; `false` when there is none. */
  freeMemory(): boolean {
    const holding = [...this.#requests].filter(([, { heldBytes }]) => heldBytes > 0);
    const slowest = this.slowestOf(holding.map(([socket]) => socket));
    if (slowest === undefined) return false;
    this.end(slowest);
    return true;
  }
}
