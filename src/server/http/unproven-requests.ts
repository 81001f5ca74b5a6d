import type { Socket } from 'node:net';

/** An unauthenticated request, which holds a connection and perhaps memory. */
export interface UnprovenRequest {
  readonly heldBytes: number;
  readonly speed: number;
  giveWay(): void;
}

/** Bytes credited, so that a new request is not the slowest. */
const headStart = 16 * 1024;

/** Bytes per millisecond. @param since by `performance.now()` */
export function measureSpeed(bytes: number, since: number): number {
  return (bytes + headStart) / (performance.now() - since);
}

/** Unauthenticated requests, at most one per connection. The slowest gives way, so that they cannot block others. */
export class UnprovenRequests {
  readonly #requests = new Map<Socket, UnprovenRequest>();

  add(socket: Socket, request: UnprovenRequest): void {
    this.#requests.set(socket, request);
  }

  delete(socket: Socket, request: UnprovenRequest): void {
    if (this.#requests.get(socket) === request) this.#requests.delete(socket);
  }

  of(socket: Socket): UnprovenRequest | undefined {
    return this.#requests.get(socket);
  }

  /** Makes the slowest request that holds memory give way; `false` if none does. */
  freeMemory(): boolean {
    const holding = [...this.#requests.values()].filter(({ heldBytes }) => heldBytes > 0);
    const slowest = findSlowest(holding, ({ speed }) => speed);
    slowest?.giveWay();
    return slowest !== undefined;
  }
}

export function findSlowest<Item>(
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
