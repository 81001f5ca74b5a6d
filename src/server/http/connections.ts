import { setMaxListeners } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Hold } from './body.js';

/** Limits of what one client, and all clients together, can use. Times are in milliseconds. */
export interface Limits {
  /** Time for the TLS handshake, and for a request's headers; default: 10,000. */
  readonly headers: number;
  /** Time until a request has arrived, and until a client reads some of its response; default: 30,000. */
  readonly request: number;
  /** Time between two requests of a connection; default: 60,000. */
  readonly idle: number;
  /** Bytes of a request's headers; default: 16,384. */
  readonly headerBytes: number;
  /** Open connections; default: 1,000. */
  readonly connections: number;
  /** Unanswered requests of one connection; default: 32. */
  readonly pipelined: number;
  /** Bytes of request bodies and large responses in memory; beyond that, requests get 503. Default: 67,108,864. */
  readonly heldBytes: number;
}

export const defaultLimits: Limits = {
  headers: 10_000,
  request: 30_000,
  idle: 60_000,
  headerBytes: 16 * 1024,
  connections: 1000,
  pipelined: 32,
  heldBytes: 64 * 1024 * 1024,
};

interface Connection {
  /** The TCP socket below TLS. */
  readonly socket: Socket;
  /** Finished responses are dropped at the next request. */
  readonly responses: ServerResponse[];
}

/** Milliseconds that requests in progress get when a listener closes. */
const grace = 5000;

/** The connections of a listener, within the limits. */
export class Connections {
  readonly #limits: Limits;
  /** By peer address: a TLS socket does not tell which TCP socket it uses. */
  readonly #open = new Map<string, Connection>();
  /** By the socket that Node gives with a request. */
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #end = new AbortController();
  /** Aborted when the listener closes, to end endless streams. */
  readonly ended: AbortSignal = this.#end.signal;
  #heldBytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    setMaxListeners(0, this.ended);
  }

  /** Call this before the server listens. */
  watch(server: Server, isSecure: boolean): void {
    server.maxConnections = this.#limits.connections;
    server.on('connection', (socket: Socket) => {
      const [peer, connection] = [peerOf(socket), { socket, responses: [] }];
      this.#open.set(peer, connection);
      socket.once('close', () => {
        if (this.#open.get(peer) === connection) this.#open.delete(peer);
      });
    });
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      const connection = this.#open.get(peerOf(socket));
      // The client has left meanwhile.
      if (connection === undefined) return void socket.destroy();
      this.#bySocket.set(socket, connection);
      // Each unanswered request adds a listener.
      setMaxListeners(0, socket);
      parseInPieces(socket);
    });
  }

  /** Counts a request; closes the connection if too many requests wait. Returns whether it is still open. */
  take(response: ServerResponse): boolean {
    const connection = this.#bySocket.get(response.req.socket);
    if (connection === undefined || connection.socket.destroyed) return false;
    const { socket, responses } = connection;
    while (responses[0]?.writableFinished) responses.shift();
    if (responses.push(response) > this.#limits.pipelined) socket.destroy();
    return !socket.destroyed;
  }

  /** The last responses of a connection, some of which may be finished. */
  responsesOf(socket: Socket): readonly ServerResponse[] {
    return this.#bySocket.get(socket)?.responses ?? [];
  }

  /** Aborted when the response has ended, or the listener closes. */
  lifetimeOf(response: ServerResponse): AbortSignal {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    return AbortSignal.any([this.ended, closed.signal]);
  }

  /** Closes a connection; if `isReset`, by a TCP reset. */
  cut(socket: Socket, isReset: boolean): void {
    const below = this.#bySocket.get(socket)?.socket ?? socket;
    if (isReset) below.resetAndDestroy();
    else below.destroy();
  }

  /** The returned function counts bytes until the response is sent or its connection closes. */
  readonly hold = (response: ServerResponse): Hold => {
    const { socket } = response.req;
    let held = 0;
    const release = () => {
      this.#heldBytes -= held;
      held = 0;
      socket.off('close', release);
    };
    response.once('close', release);
    // A response that waits for others emits no `close` with its connection.
    socket.once('close', release);
    return (bytes) => {
      if (socket.destroyed || this.#heldBytes + bytes > this.#limits.heldBytes) return false;
      this.#heldBytes += bytes;
      held += bytes;
      return true;
    };
  };

  /** Gives requests in progress some seconds to finish; closes everything else immediately. */
  close(server: Server): Promise<void> {
    this.#end.abort();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const { socket } of this.#open.values()) socket.destroy();
      }, grace);
      // Now Node closes a connection a second after a response that began without `Connection: close`.
      server.keepAliveTimeout = 1;
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      for (const { socket, responses } of this.#open.values())
        if (!isAnyUnfinished(responses)) socket.destroy();
    });
  }
}

export function isAnyUnfinished(responses: readonly ServerResponse[]): boolean {
  return responses.some(({ writableFinished }) => !writableFinished);
}

function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

const pieceBytes = 1024;

/** Feeds Node's parser in pieces: it would parse all requests that it has read, even after the connection is closed. */
function parseInPieces(socket: Socket): void {
  const [parse] = socket.listeners('data');
  if (parse === undefined) throw new Error('no HTTP parser listens to the connection');
  socket.removeAllListeners('data');
  socket.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length && !socket.destroyed; at += pieceBytes) {
      if (at > 0 && socket.isPaused()) return void socket.unshift(bytes.subarray(at));
      parse.call(socket, bytes.length <= pieceBytes ? bytes : bytes.subarray(at, at + pieceBytes));
    }
  });
}
