import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../text/loopback.js';
import { HttpError } from '../http/http-error.js';
import type { Limits } from '../http/limits.js';
import type { UnprovenRequests } from '../http/unproven-requests.js';
import { addressOf } from '../listening/connection-room.js';

/** Milliseconds by which answers to too many failures are delayed. */
export const failureDelay = 1000;

/** Milliseconds after which a peer has all its attempts back. */
const window = 60_000;

/** The most peer addresses that are kept; the one that failed first is dropped. */
const capacity = 10_000;

interface Attempts {
  left: number;
  countedAt: number;
}

/**
 * Counts the failed authentications of each peer address. After too many, the answer to each further failure is
 * delayed; authenticated requests are not, so that others who share the address are not slowed down.
 */
export class FailedAttempts {
  readonly #limits: Pick<Limits, 'peerFailures' | 'loopbackFailures'>;
  readonly #now: () => number;
  readonly #peers = new Map<string, Attempts>();

  /** `now` is a monotonic time in milliseconds. */
  constructor(
    limits: Pick<Limits, 'peerFailures' | 'loopbackFailures'>,
    now: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts a failure; returns the delay of its answer in milliseconds. */
  count(socket: Socket): number {
    const address = addressOf(socket);
    const most = isLoopback(address) ? this.#limits.loopbackFailures : this.#limits.peerFailures;
    const attempts = this.#attemptsOf(address, most);
    const now = this.#now();
    attempts.left = Math.min(most, attempts.left + ((now - attempts.countedAt) * most) / window);
    attempts.countedAt = now;
    if (attempts.left < 1) return failureDelay;
    attempts.left -= 1;
    return 0;
  }

  #attemptsOf(address: string, most: number): Attempts {
    const known = this.#peers.get(address);
    if (known !== undefined) return known;
    const attempts = { left: most, countedAt: this.#now() };
    this.#peers.set(address, attempts);
    if (this.#peers.size > capacity) this.#forgetOldest();
    return attempts;
  }

  #forgetOldest(): void {
    for (const address of this.#peers.keys()) {
      this.#peers.delete(address);
      return;
    }
  }
}

export interface SlowFailureOptions {
  readonly failedAttempts: FailedAttempts;
  /** Runs something for a request after a delay in milliseconds, if the client is still there. */
  readonly postpone: (response: ServerResponse, milliseconds: number, work: () => void) => void;
  /** Where delayed requests are registered: they hold connections. */
  readonly unproven: UnprovenRequests;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The authenticating hook, with delayed answers once a peer has too many failures. */
export function slowFailures(authenticating: Hook, options: SlowFailureOptions): Hook {
  return async (request, reply) => {
    try {
      await authenticating(request, reply);
    } catch (error) {
      const isFailure = error instanceof HttpError && error.statusCode === 401;
      const wait = isFailure ? options.failedAttempts.count(request.raw.socket) : 0;
      if (wait > 0) await delay(reply.raw, wait, options);
      throw error;
    }
  };
}

/** Its place is somebody else's if there is no other, without an answer: one at once would be no delay. */
async function delay(
  response: ServerResponse,
  wait: number,
  { postpone, unproven }: SlowFailureOptions,
): Promise<void> {
  const { socket } = response.req;
  const delayed = { heldBytes: 0, speed: 0, giveWay: () => socket.destroy() };
  unproven.add(socket, delayed);
  response.once('close', () => unproven.delete(socket, delayed));
  await new Promise<void>((resolve) => postpone(response, wait, resolve));
  unproven.delete(socket, delayed);
}
