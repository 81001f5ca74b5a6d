import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { Connection, type Load } from './connection.js';
import type { Limits } from './limits.js';

/**
 * Connections that go on in one turn of the event loop: it accepts one new connection in each, and who comes now is to
 * be answered soon, however much is waiting.
 */
const perTurn = 4;

/** Reads a server's connections so that what is in flight stays bounded, for each and in all. */
export class Intake implements Load {
  unanswered = 0;
  readonly pipelined: number;
  readonly #requests: number;
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #queued = new Set<Connection>();
  #turn: NodeJS.Immediate | undefined;

  constructor({ pipelined, requests }: Limits) {
    this.pipelined = pipelined;
    this.#requests = requests;
  }

  get isHigh(): boolean {
    return this.unanswered >= this.#requests;
  }

  /** To be called before the server listens. */
  watch(server: Server): void {
    const established = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(established, (socket: Socket) => this.#take(socket));
    const count = ({ socket }: IncomingMessage, response: ServerResponse) =>
      this.#connections.get(socket)?.count(response);
    // Node emits just one of them for a request.
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
      server.prependListener(event, count);
    }
  }

  connectionOf(socket: Socket): Connection | undefined {
    return this.#connections.get(socket);
  }

  /** In the order in which they came; who has just had a turn comes after all others. */
  readonly queue = (connection: Connection): void => {
    this.#queued.add(connection);
    this.#turn ??= setImmediate(this.#next);
  };

  readonly #next = (): void => {
    let left = perTurn;
    for (const connection of this.#queued) {
      if (left === 0) break;
      this.#queued.delete(connection);
      if (connection.tryAgain()) left -= 1;
    }
    this.#turn = this.#queued.size === 0 ? undefined : setImmediate(this.#next);
  };

  /** Puts itself between the socket and the parser: what listens to the data now is the latter. */
  #take(socket: Socket): void {
    const [parse] = socket.listeners('data');
    if (parse === undefined) throw new Error('the HTTP parser does not listen to the data of its connection');
    socket.removeAllListeners('data');
    this.#connections.set(socket, new Connection(socket, parse.bind(socket), this));
  }
}
