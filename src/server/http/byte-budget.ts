import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { onSendHookHandler } from 'fastify';
import { HttpError } from './http-error.js';
import { isReading } from './reading-methods.js';
import { UnprovenRequests } from './unproven-requests.js';

/** Limits the bytes of bodies and large responses in memory: clients may be unauthenticated, or not read responses. */
export class ByteBudget {
  readonly #limit: number;
  readonly #unproven: UnprovenRequests;
  #held = 0;
  readonly #releases = new WeakMap<Socket, Set<() => void>>();

  constructor(limit: number, unproven = new UnprovenRequests()) {
    this.#limit = limit;
    this.#unproven = unproven;
  }

  makeRoom(bytes = 1): boolean {
    while (this.#held + bytes > this.#limit) if (!this.#unproven.freeMemory()) return false;
    return true;
  }

  take(bytes: number): boolean {
    if (!this.makeRoom(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }

  takeFor(response: ServerResponse, bytes: number): boolean {
    if (!this.take(bytes)) return false;
    this.#keepFor(response, bytes);
    return true;
  }

  /** Like `takeFor`, but never refuses: for a body already read, or a response that reports a completed change. */
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
    // A queued response does not learn that its connection closed; the socket's `close` releases its bytes.
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

/** Bytes; smaller responses are not counted, because the number of requests bounds them. */
const smallBytes = 16 * 1024;

/** A response body is held twice: as text, and as bytes that are not sent yet. */
const bodyCopies = 2;

/** Counts large responses until they are sent; refuses a read if its response does not fit. */
export function holdAnswer(held: ByteBudget): onSendHookHandler {
  return ({ method }, { raw }, payload, done) => {
    if (typeof payload !== 'string' || payload.length <= smallBytes) return done();
    const bytes = bodyCopies * payload.length;
    if (isReading(method) && !held.takeFor(raw, bytes)) return done(tooMuchHeld());
    // A completed change must be reported; without room, `admission` refuses changes before they are made.
    if (!isReading(method)) held.insistFor(raw, bytes);
    done();
  };
}

export function tooMuchHeld(): HttpError {
  return new HttpError(503, 'Service Unavailable', {
    check: 'request',
    explain: () => ({ reason: 'too many large requests and responses are in progress' }),
    headers: { 'retry-after': '1' },
  });
}
