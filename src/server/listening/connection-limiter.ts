import type { Socket } from 'node:net';
import { isLoopback } from '../../text/base-url.js';
import { HttpError } from '../http/http-error.js';
import type { Limits } from '../http/limits.js';
import { findSlowest, measureSpeed, UnprovenRequests } from '../http/unproven-requests.js';
import type { ClientConnection } from './connection.js';

type NoRoom = 'in total' | 'from one address';

type Peer = Set<ClientConnection>;

/** Milliseconds to send the response to an evicted request. */
const lingerRefused = 1000;

export class ConnectionLimiter {
  readonly #limits: Limits;
  readonly #unproven: UnprovenRequests;
  readonly #peers = new Map<string, Peer>();
  readonly #excess = new WeakMap<Socket, NoRoom>();
  #open = 0;

  constructor(limits: Limits, unproven = new UnprovenRequests()) {
    this.#limits = limits;
    this.#unproven = unproven;
  }

  enter(connection: ClientConnection): void {
    const address = readAddress(connection.socket);
    const max = isLoopback(address) ? this.#limits.loopbackConnections : this.#limits.peerConnections;
    const noRoom = this.#makeRoom(this.#peers.get(address) ?? new Set(), max);
    const peer = this.#peers.get(address) ?? new Set();
    this.#peers.set(address, peer.add(connection));
    this.#open += 1;
    connection.socket.once('close', () => this.#remove(connection, peer, address));
    if (noRoom !== undefined) this.#excess.set(connection.socket, noRoom);
  }

  problemOf(socket: Socket): HttpError | undefined {
    const noRoom = this.#excess.get(socket);
    if (noRoom === undefined) return undefined;
    return new HttpError(503, 'Too many connections', {
      explain: () => ({ reason: `too many connections ${noRoom}, and none is idle` }),
      headers: { connection: 'close' },
    });
  }

  #makeRoom(peer: Peer, max: number): NoRoom | undefined {
    if (peer.size >= max && !this.#giveWay(peer)) return 'from one address';
    if (this.#open < this.#limits.connections) return undefined;
    const largest = [...this.#peers.values()].sort((one, other) => other.size - one.size);
    return largest.some((some) => this.#giveWay(some)) ? undefined : 'in total';
  }

  /** Closes the oldest idle connection, else the slowest unauthenticated one, else one whose requests wait. */
  #giveWay(peer: Peer): boolean {
    const connection =
      findFirst(peer, ({ isIdle, isUsed }) => isIdle && isUsed) ??
      findSlowest(peer, (one) => this.#unprovenSpeed(one)) ??
      findFirst(peer, ({ isAhead }) => isAhead);
    if (connection === undefined) return false;
    const { socket } = connection;
    this.#remove(connection, peer, readAddress(socket));
    const request = this.#unproven.of(socket);
    if (request === undefined) {
      socket.destroy();
    } else {
      request.giveWay();
      setTimeout(() => socket.destroy(), lingerRefused).unref();
    }
    return true;
  }

  #unprovenSpeed({ socket, isUsed, openedAt }: ClientConnection): number | undefined {
    return isUsed ? this.#unproven.of(socket)?.speed : measureSpeed(0, openedAt);
  }

  #remove(connection: ClientConnection, peer: Peer, address: string): void {
    if (!peer.delete(connection)) return;
    this.#open -= 1;
    if (peer.size === 0) this.#peers.delete(address);
  }
}

function findFirst(
  peer: Peer,
  isWanted: (connection: ClientConnection) => boolean,
): ClientConnection | undefined {
  for (const connection of peer) if (isWanted(connection)) return connection;
  return undefined;
}

export function readAddress({ remoteAddress = '' }: Socket): string {
  return remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
}
