import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { onSendHookHandler } from 'fastify';
import { HttpError } from './http-error.js';

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

  /** As `takeFor`, for an answer that has to go out, because it reports a change that was made. */
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

/** Bytes up to which an answer is not counted: there are no more of them than requests. */
const smallBytes = 16 * 1024;

/** An answer that waits is there as text, and as the bytes that the system has not taken. */
const copies = 2;

/** The hook that counts large answers as long as they are not out, and refuses the one too many. */
export function holdAnswer(held: HeldBytes): onSendHookHandler {
  return ({ method }, { raw }, payload, done) => {
    if (typeof payload !== 'string' || payload.length <= smallBytes) return done();
    const bytes = copies * payload.length;
    if (method === 'GET' && !held.takeFor(raw, bytes)) return done(tooMuchHeld());
    // What was changed is changed, and its answer says so. Changes are refused before, when there is no room.
    if (method !== 'GET') held.insistFor(raw, bytes);
    done();
  };
}

/** Nothing was done, and there will be room once others have read their answers. */
export function tooMuchHeld(): HttpError {
  return new HttpError(503, 'Service Unavailable', {
    check: 'request',
    explain: () => ({ reason: 'too many large bodies and answers are under way' }),
    headers: { 'retry-after': '1' },
  });
}
