import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '../http/limits.js';
import { ClientConnection, type Load } from './connection.js';

/** Connections that continue per turn of the event loop; few, so that new ones are accepted in between. */
const perTurn = 4;

export class RequestQueue implements Load {
  unanswered = 0;
  readonly pipelined: number;
  readonly #requests: number;
  readonly #connections = new Map<Socket, ClientConnection>();
  readonly #queued = new Set<ClientConnection>();
  #turn: NodeJS.Immediate | undefined;

  constructor({ pipelined, requests }: Limits) {
    this.pipelined = pipelined;
    this.#requests = requests;
  }

  get isHigh(): boolean {
    return this.unanswered >= this.#requests;
  }

  open(socket: Socket): ClientConnection {
    const connection = new ClientConnection(socket, this);
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    if (this.isHigh) connection.pace();
    return connection;
  }

  connectionOf(socket: Socket): ClientConnection | undefined {
    return this.#connections.get(socket);
  }

  take(response: ServerResponse, begin: () => void): void {
    this.#connections.get(response.req.socket)?.take(response, begin);
  }

  /** Queues a connection; one that has just had its turn goes last. */
  readonly queue = (connection: ClientConnection): void => {
    this.#queued.add(connection);
    this.#turn ??= setImmediate(this.#next);
  };

  /** Paces a connection after Node has parsed the current piece, before other connections are read. */
  readonly overrun = (connection: ClientConnection): void => {
    queueMicrotask(() => {
      connection.pace();
      if (this.isHigh) for (const other of this.#connections.values()) other.pace();
    });
  };

  readonly #next = (): void => {
    let left = perTurn;
    for (const connection of this.#queued) {
      if (left === 0) break;
      this.#queued.delete(connection);
      if (connection.goOn()) left -= 1;
    }
    this.#turn = this.#queued.size === 0 ? undefined : setImmediate(this.#next);
  };
}
