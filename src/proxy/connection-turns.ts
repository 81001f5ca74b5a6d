import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Relay } from './relay.js';

/** How many requests may wait on a connection; if the client sends more, the connection is closed. */
const maxWaiting = 100;

export interface Current {
  readonly response: ServerResponse;
  readonly relay: Relay;
}

interface OpenConnection {
  readonly socket: Socket;
  current: Current | undefined;
  readonly waiting: (() => void)[];
}

/**
 * The open connections of clients. Each has one request in progress at a time: otherwise, pipelined requests could
 * overtake each other on different connections to the service.
 */
export class ConnectionTurns {
  readonly #open = new Map<Duplex, OpenConnection>();

  open(socket: Socket): void {
    this.#open.set(socket, { socket, current: undefined, waiting: [] });
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Begins a request when the earlier ones on its connection are done. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => Relay): void {
    const turns = this.#open.get(socket);
    if (turns === undefined) return;
    const start = () => {
      response.once('close', () => {
        turns.current = undefined;
        turns.waiting.shift()?.();
      });
      turns.current = { response, relay: begin() };
    };
    if (turns.current === undefined) start();
    else turns.waiting.push(start);
    if (turns.waiting.length > maxWaiting) socket.destroy();
  }

  findCurrent(socket: Duplex): Current | undefined {
    return this.#open.get(socket)?.current;
  }

  /** Closes idle connections at once, and each of the others when its current response ends. */
  drain(): void {
    for (const { socket, current } of this.#open.values()) {
      if (current === undefined) {
        socket.destroy();
        continue;
      }
      current.response.shouldKeepAlive = false;
      current.response.once('close', () => socket.destroySoon());
    }
  }

  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}
