import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../contract/loopback.js';
import { addressOf } from '../listening/connection-room.js';
import type { Limits } from '../listening/limits.js';
import { HttpError } from './http-error.js';

/** Milliseconds that the answer to one failure too many takes. */
export const failureDelay = 1000;

/** Milliseconds in which a peer gets all its attempts back. */
const window = 60_000;

/** Peer addresses that are known at once; beyond, the one that failed first is forgotten. */
const capacity = 10_000;

interface Attempts {
  left: number;
  countedAt: number;
}

/**
 * Counts the failed authentications of each peer address. A peer with too many of them waits for the answer to each further
 * one; what is authenticated is answered as always, so that others who share the address are not slowed down.
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

  /** Counts a failure; returns the milliseconds that its answer is to wait. */
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
  /** Does something for a request after so many milliseconds, if there is still somebody to answer then. */
  readonly postpone: (response: ServerResponse, milliseconds: number, work: () => void) => void;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The hook that authenticates, with the answers to a peer's failures held back once there are too many of them. */
export function slowFailures(authenticating: Hook, { failedAttempts, postpone }: SlowFailureOptions): Hook {
  return async (request, reply) => {
    try {
      await authenticating(request, reply);
    } catch (error) {
      const isFailure = error instanceof HttpError && error.statusCode === 401;
      const wait = isFailure ? failedAttempts.count(request.raw.socket) : 0;
      if (wait > 0) await new Promise<void>((resolve) => postpone(reply.raw, wait, resolve));
      throw error;
    }
  };
}
