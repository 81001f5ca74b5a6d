import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LruMap } from '../../platform/lru-map.js';
import { isLoopback } from '../../text/base-url.js';
import { HttpError } from '../http/http-error.js';
import type { Limits } from '../http/limits.js';
import type { UnprovenRequests } from '../http/unproven-requests.js';
import { readAddress } from '../listening/connection-limiter.js';

export const failureDelay = 1000;

/** Milliseconds until a peer has all its attempts back. */
const window = 60_000;

const trackedAddresses = 10_000;

interface AddressAttempts {
  left: number;
  countedAt: number;
}

/** Counts failed authentications per peer address, to delay only the responses to further failures. */
export class FailedAttempts {
  readonly #limits: Pick<Limits, 'peerFailures' | 'loopbackFailures'>;
  readonly #now: () => number;
  readonly #peers = new LruMap<string, AddressAttempts>(trackedAddresses);

  constructor(
    limits: Pick<Limits, 'peerFailures' | 'loopbackFailures'>,
    now: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#now = now;
  }

  count(socket: Socket): number {
    const address = readAddress(socket);
    const max = isLoopback(address) ? this.#limits.loopbackFailures : this.#limits.peerFailures;
    const attempts = this.#attemptsOf(address, max);
    const now = this.#now();
    attempts.left = Math.min(max, attempts.left + ((now - attempts.countedAt) * max) / window);
    attempts.countedAt = now;
    if (attempts.left < 1) return failureDelay;
    attempts.left -= 1;
    return 0;
  }

  #attemptsOf(address: string, max: number): AddressAttempts {
    const known = this.#peers.get(address);
    if (known !== undefined) return known;
    const attempts = { left: max, countedAt: this.#now() };
    this.#peers.set(address, attempts);
    return attempts;
  }
}

export interface SlowFailureOptions {
  readonly failedAttempts: FailedAttempts;
  readonly postpone: (response: ServerResponse, milliseconds: number, work: () => void) => void;
  readonly unproven: UnprovenRequests;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function slowFailures(authenticating: Hook, options: SlowFailureOptions): Hook {
  return async (request, reply) => {
    try {
      await authenticating(request, reply);
    } catch (error) {
      const isFailure = error instanceof HttpError && error.statusCode === 401;
      const wait = isFailure ? options.failedAttempts.count(request.raw.socket) : 0;
      if (wait > 0) await delayResponse(reply.raw, wait, options);
      throw error;
    }
  };
}

/** A delayed request that has to give way gets no response: an immediate one would avoid the delay. */
async function delayResponse(
  response: ServerResponse,
  wait: number,
  { postpone, unproven }: SlowFailureOptions,
): Promise<void> {
  const { socket } = response.req;
  const delayed = { heldBytes: 0, speed: 0, giveWay: () => socket.destroy() };
  unproven.add(socket, delayed);
  // Until the response is sent, the connection does not count as idle, so it can be evicted only through `delayed`.
  response.once('close', () => unproven.delete(socket, delayed));
  await new Promise<void>((resolve) => postpone(response, wait, resolve));
}
