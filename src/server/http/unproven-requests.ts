import type { Socket } from 'node:net';

/** A request that occupies a connection, and perhaps memory, without having proved knowledge of a secret. */
export interface UnprovenRequest {
  /** Bytes of memory that would be free without it. */
  readonly heldBytes: number;
  /** See `speedOf`. */
  readonly speed: number;
  /** Ends it, and gives back at once what it holds. */
  giveWay(): void;
}

/** Bytes that everybody is credited with, so that whoever has just begun is not the slowest. */
const headStart = 16 * 1024;

/** How fast something comes, in bytes per millisecond. @param since when it began, by `performance.now()` */
export function speedOf(bytes: number, since: number): number {
  return (bytes + headStart) / (performance.now() - since);
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

  /** Nothing, if the connection already has another request. */
  delete(socket: Socket, request: UnprovenRequest): void {
    if (this.#requests.get(socket) === request) this.#requests.delete(socket);
  }

  /** That of a connection. */
  of(socket: Socket): UnprovenRequest | undefined {
    return this.#requests.get(socket);
  }

  /** Ends the slowest of those that hold memory; `false` when there is none. */
  freeMemory(): boolean {
    const holding = [...this.#requests.values()].filter(({ heldBytes }) => heldBytes > 0);
    const slowest = slowestOf(holding, ({ speed }) => speed);
    slowest?.giveWay();
    return slowest !== undefined;
  }
}

/** The slowest of some; `undefined` where none has a speed. */
export function slowestOf<Item>(
  items: Iterable<Item>,
  speedOfOne: (item: Item) => number | undefined,
): Item | undefined {
  let slowest: Item | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const speed = speedOfOne(item) ?? Number.POSITIVE_INFINITY;
    if (speed >= least) continue;
    least = speed;
    slowest = item;
  }
  return slowest;
}
