import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

export interface RecordedRequest {
  readonly raw: Buffer;
  readonly method: string;
  readonly target: string;
  /** In original order and case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Index of the connection, from 0. */
  readonly connection: number;
}

/** Returns bytes to send, or does anything to the socket. */
export type Behaviour = (request: RecordedRequest, socket: Socket | TLSSocket, nth: number) => unknown;

export interface PeerOptions {
  /** Speaks TLS with this certificate; plain TCP without. */
  readonly tls?: (TlsOptions & { readonly cert: string; readonly key: string }) | undefined;
  readonly port?: number | undefined;
  /** Runs on each connection before reading, after any TLS handshake. */
  readonly onConnection?: ((socket: Socket | TLSSocket, nth: number) => unknown) | undefined;
}

export interface Peer {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  readonly connections: number;
  /** Resolves after this many requests; default: 1. */
  received(count?: number): Promise<void>;
  /** Resolves after this many TCP connections; default: 1. */
  connected(count?: number): Promise<void>;
  /** Resolves when every connection accepted so far is gone. */
  disconnected(): Promise<void>;
}

/** A loopback peer that records requests and answers by script, byte for byte. It ends with the test. */
export async function hostilePeer(
  behave: Behaviour,
  { tls, port = 0, onConnection }: PeerOptions = {},
): Promise<Peer> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const changes = new EventEmitter().setMaxListeners(0);
  let connections = 0;
  let served = 0;
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(changes, 'change');
  };
  const answer = (request: RecordedRequest, socket: Socket) => {
    const bytes = behave(request, socket, requests.push(request) - 1);
    if (typeof bytes === 'string' || bytes instanceof Uint8Array) socket.write(bytes);
    changes.emit('change');
  };
  const serve = (socket: Socket) => {
    const connection = served++;
    let pending: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    onConnection?.(socket, connection);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (let read = readRequest(pending, connection); read; read = readRequest(pending, connection)) {
        pending = pending.subarray(read.raw.length);
        answer(read, socket);
      }
    });
  };
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket) && changes.emit('change'));
    changes.emit('change');
  });
  server.on(tls === undefined ? 'connection' : 'secureConnection', serve);
  // A client may refuse the certificate.
  server.on('tlsClientError', () => undefined).listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const own = portOf(server);
  return {
    ...{ requests, port: own, origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${own}` },
    get connections() {
      return connections;
    },
    received: (count = 1) => until(() => requests.length >= count),
    connected: (count = 1) => until(() => connections >= count),
    disconnected: () => until(() => sockets.size === 0),
  };
}

/** Answers each request in turn; repeats the last response. */
export function scriptedPeer(
  answers: readonly (string | Buffer)[],
  options: PeerOptions = {},
): Promise<Peer> {
  return hostilePeer((_request, _socket, nth) => answers[Math.min(nth, answers.length - 1)], options);
}

/** A complete HTTP/1.1 response with a JSON or text body. */
export function httpAnswer(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${text}`;
}

export async function unusedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the peer is not listening');
  return address.port;
}

/** The first complete request. Needs Content-Length for a body. */
function readRequest(bytes: Buffer, connection: number): RecordedRequest | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = lines.map((text) => {
    const colon = text.indexOf(':');
    return [text.slice(0, colon), text.slice(colon + 1).trim()] as const;
  });
  const length = Number(headerOf({ headers }, 'content-length') ?? 0);
  const start = end + 4;
  if (bytes.length < start + length) return undefined;
  const raw = Buffer.from(bytes.subarray(0, start + length));
  return { raw, method, target, headers, body: raw.subarray(start), connection };
}

/** The value of a header. Joins repeated headers with commas. */
export function headerOf(request: Pick<RecordedRequest, 'headers'>, name: string): string | undefined {
  const values = request.headers.filter(([own]) => own.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
}
