import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bytes of bodies and large answers that a server holds at once. Whoever sends bodies may be nobody, and whoever asks
 * for answers need not read them.
 */
export class HeldBytes {
  readonly #most: number;
  #held = 0;
  /** What each connection holds beyond the moment, for when it closes before its answers are out. */
  readonly #releases = new WeakMap<Socket, Set<() => void>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether there is room for nothing more. */
  get isFull(): boolean {
    return this.#held >= this.#most;
  }

  /** Takes room, which is to be given back; `false` when there is not enough. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }

  /** Takes room until the answer is out; `false` when there is not enough. */
  takeFor(response: ServerResponse, bytes: number): boolean {
    if (!this.take(bytes)) return false;
    this.#keepFor(response, bytes);
    return true;
  }

  /** As `takeFor`, for an answer that has to go out: what it tells of is done. */
  insistFor(response: ServerResponse, bytes: number): void {
    this.#held += bytes;
    this.#keepFor(response, bytes);
  }

  #keepFor(response: ServerResponse, bytes: number): void {
    const releases = this.#releasesOf(response.req.socket);
    const release = () => {
      if (releases.delete(release)) this.giveBack(bytes);
    };
    releases.add(release);
    // An answer that waits for its turn is not told that its connection closed.
    response.once('close', release);
  }

  #releasesOf(socket: Socket): Set<() => void> {
    const known = this.#releases.get(socket);
    if (known !== undefined) return known;
    const releases = new Set<() => void>();
    this.#releases.set(socket, releases);
    socket.once('close', () => {
      for (const release of releases) release();
    });
    return releases;
  }
}
