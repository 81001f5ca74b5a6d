import { setMaxListeners } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Hold } from './body.js';
import type { Limits } from './limits.js';

interface Connection {
  /** Below TLS. */
  readonly socket: Socket;
  /** When it was opened, or last got further with its requests. */
  since: number;
  /** Unfinished ones; the last one may be finished. */
  readonly responses: ServerResponse[];
  heldBytes: number;
}

/** Milliseconds that requests in progress get when a listener closes. */
const grace = 5000;

/** The connections of a listener, and what bounds them. */
export class Connections {
  readonly #limits: Limits;
  /** By their peers: TLS does not tell which connection a socket belongs to. */
  readonly #open = new Map<string, Connection>();
  /** Also by the sockets above TLS. */
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
    server.on('connection', (socket: Socket) => {
      this.#enter(socket);
      if (!isSecure) parseInPieces(socket);
    });
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.#open.get(peerOf(socket));
      // Its client has left meanwhile.
      if (connection === undefined) return void socket.destroy();
      this.#bySocket.set(socket, connection);
      parseInPieces(socket);
    });
  }

  #enter(socket: Socket): void {
    if (this.#open.size >= this.#limits.connections) this.#evict();
    const since = performance.now();
    const connection: Connection = { socket, since, responses: [], heldBytes: 0 };
    const peer = peerOf(socket);
    this.#open.set(peer, connection);
    this.#bySocket.set(socket, connection);
    socket.once('close', () => {
      if (this.#open.get(peer) === connection) this.#open.delete(peer);
      this.#release(connection, connection.heldBytes);
    });
  }

  /** Closes the connection that has not got further for the longest. */
  #evict(): void {
    const [first, ...others] = this.#open;
    if (first === undefined) return;
    const [peer, { socket }] = others.reduce(
      (oldest, entry) => (entry[1].since < oldest[1].since ? entry : oldest),
      first,
    );
    this.#open.delete(peer);
    socket.destroy();
  }

  /** Counts a request. `false` if its connection is closed, because too many wait for their responses. */
  take(response: ServerResponse): boolean {
    const { socket } = response.req;
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || socket.destroyed) return false;
    const { responses } = connection;
    const before = responses.length;
    while (responses[0]?.writableFinished) responses.shift();
    if (responses.length < before || before === 0) connection.since = performance.now();
    const isTooMany = responses.length >= this.#limits.pipelined;
    if (isTooMany) connection.socket.destroy();
    else responses.push(response);
    return !isTooMany;
  }

  /** The last responses of a connection, of which the last may be finished. */
  responsesOf(socket: Socket): readonly ServerResponse[] {
    return this.#bySocket.get(socket)?.responses ?? [];
  }

  isBusy(socket: Socket): boolean {
    const connection = this.#bySocket.get(socket);
    return connection !== undefined && isWaiting(connection);
  }

  /** Closes a connection; if `isReset`, by a TCP reset. */
  cut(socket: Socket, isReset: boolean): void {
    const below = this.#bySocket.get(socket)?.socket ?? socket;
    if (isReset) below.resetAndDestroy();
    else below.destroy();
  }

  /** Counts bytes in memory until the response is sent or its connection closed. */
  readonly hold = (response: ServerResponse): Hold => {
    const connection = this.#bySocket.get(response.req.socket);
    if (connection === undefined) return () => false;
    let held = 0;
    response.once('close', () => this.#release(connection, held));
    return (bytes) => {
      if (connection.socket.destroyed || this.#heldBytes + bytes > this.#limits.heldBytes) return false;
      this.#heldBytes += bytes;
      connection.heldBytes += bytes;
      held += bytes;
      return true;
    };
  };

  /** A queued response does not learn that its connection closed: whichever is first releases its bytes. */
  #release(connection: Connection, bytes: number): void {
    const released = Math.min(bytes, connection.heldBytes);
    connection.heldBytes -= released;
    this.#heldBytes -= released;
  }

  /** Gives requests in progress some seconds to finish; closes everything else immediately. */
  close(server: Server): Promise<void> {
    this.#end.abort();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#destroyAll(() => true), grace);
      // For connections whose response began without `Connection: close`. Node closes them a second later.
      server.keepAliveTimeout = 1;
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      this.#destroyAll((connection) => !isWaiting(connection));
    });
  }

  #destroyAll(isMeant: (connection: Connection) => boolean): void {
    for (const connection of this.#open.values()) if (isMeant(connection)) connection.socket.destroy();
  }
}

function isWaiting({ responses }: Connection): boolean {
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
