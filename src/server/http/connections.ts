import { setMaxListeners } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from './limits.js';
import type { Hold } from './read-body.js';

interface Connection {
  /** Below TLS. */
  readonly socket: Socket;
  /** When it was opened, or last got further with its requests. */
  since: number;
  /** Unfinished ones; the last one may be finished. */
  readonly responses: ServerResponse[];
  /** Whether it is closed because too many requests wait for their responses. */
  isOverrun: boolean;
  readonly releases: Set<() => void>;
}

/** Milliseconds that requests in progress get when a listener closes. */
const grace = 5000;

/** The connections of a listener, and what bounds them. */
export class Connections {
  readonly #limits: Pick<Limits, 'connections' | 'pipelined' | 'heldBytes'>;
  readonly #open = new Set<Connection>();
  /** Also by the sockets above TLS. */
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #inHandshake = new Map<string, Connection>();
  readonly #end = new AbortController();
  #heldBytes = 0;

  constructor(limits: Pick<Limits, 'connections' | 'pipelined' | 'heldBytes'>) {
    this.#limits = limits;
    setMaxListeners(0, this.ended);
  }

  /** Aborted when the listener closes, to end endless streams. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Call this before the server listens. */
  watch(server: Server, isSecure: boolean): void {
    server.on('connection', (socket: Socket) => {
      const connection = this.#enter(socket);
      if (isSecure) this.#inHandshake.set(peerOf(socket), connection);
      else parseInPieces(socket);
    });
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.#inHandshake.get(peerOf(socket));
      // Its client has left meanwhile.
      if (connection === undefined) return void socket.destroy();
      this.#inHandshake.delete(peerOf(socket));
      this.#bySocket.set(socket, connection);
      parseInPieces(socket);
    });
  }

  #enter(socket: Socket): Connection {
    if (this.#open.size >= this.#limits.connections) this.#evict();
    const releases = new Set<() => void>();
    const connection = { socket, since: performance.now(), responses: [], isOverrun: false, releases };
    const peer = peerOf(socket);
    this.#open.add(connection);
    this.#bySocket.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(connection);
      if (this.#inHandshake.get(peer) === connection) this.#inHandshake.delete(peer);
      for (const release of connection.releases) release();
    });
    return connection;
  }

  /** Closes a connection that is idle after a request, or else the one that has not got further for the longest. */
  #evict(): void {
    let oldest: Connection | undefined;
    for (const connection of this.#open) {
      const isIdle = connection.responses.length > 0 && !isBusy(connection);
      if (isIdle || oldest === undefined || connection.since < oldest.since) oldest = connection;
      if (isIdle) break;
    }
    if (oldest === undefined) return;
    this.#open.delete(oldest);
    oldest.socket.destroy();
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
    if (responses.length >= this.#limits.pipelined) {
      connection.isOverrun = true;
      connection.socket.destroy();
      return false;
    }
    responses.push(response);
    return true;
  }

  /** The last responses of a connection, of which the last may be finished. */
  responsesOf(socket: Socket): readonly ServerResponse[] {
    return this.#bySocket.get(socket)?.responses ?? [];
  }

  /** Whether the requests of a connection are dropped. */
  isOverrun(socket: Socket): boolean {
    return this.#bySocket.get(socket)?.isOverrun === true;
  }

  isBusy(socket: Socket): boolean {
    const connection = this.#bySocket.get(socket);
    return connection !== undefined && isBusy(connection);
  }

  /** Closes a connection; if `isReset`, by a TCP reset. */
  cut(socket: Socket, isReset: boolean): void {
    const below = this.#bySocket.get(socket)?.socket ?? socket;
    if (isReset) below.resetAndDestroy();
    else below.destroy();
  }

  /** Counts bytes in memory until the response is sent or its connection closed. */
  readonly hold = (response: ServerResponse): Hold => {
    const releases = this.#bySocket.get(response.req.socket)?.releases;
    let held = 0;
    let isOver = releases === undefined;
    const release = () => {
      isOver = true;
      releases?.delete(release);
      this.#heldBytes -= held;
      held = 0;
    };
    releases?.add(release);
    // A queued response does not learn that its connection closed.
    response.once('close', release);
    return (bytes) => {
      if (isOver || this.#heldBytes + bytes > this.#limits.heldBytes) return false;
      this.#heldBytes += bytes;
      held += bytes;
      return true;
    };
  };

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
      this.#destroyAll((connection) => !isBusy(connection));
    });
  }

  #destroyAll(isMeant: (connection: Connection) => boolean): void {
    for (const connection of this.#open) if (isMeant(connection)) connection.socket.destroy();
  }
}

function isBusy({ responses }: Connection): boolean {
  return responses.some(({ writableFinished }) => !writableFinished);
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
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
