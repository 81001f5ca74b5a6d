import { once } from 'node:events';
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
export async function hostilePeer(behave: Behaviour, options: PeerOptions = {}): Promise<Peer> {
  const peer = new RecordingPeer(behave, options);
  await peer.listen();
  return peer;
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

class RecordingPeer implements Peer {
  readonly requests: RecordedRequest[] = [];
  connections = 0;
  readonly #server: Server;
  readonly #scheme: string;
  readonly #wanted: number;
  readonly #behave: Behaviour;
  readonly #options: PeerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();

  constructor(behave: Behaviour, options: PeerOptions) {
    const { tls, port = 0 } = options;
    this.#behave = behave;
    this.#options = options;
    this.#wanted = port;
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server = tls === undefined ? createServer() : createTlsServer(tls);
    this.#server.on('connection', (socket: Socket) => this.#accept(socket));
    const ready = tls === undefined ? 'connection' : 'secureConnection';
    let nth = 0;
    this.#server.on(ready, (socket: Socket) => this.#serve(socket, nth++));
    // A client may refuse the certificate.
    this.#server.on('tlsClientError', () => undefined);
  }

  get port(): number {
    return portOf(this.#server);
  }

  get origin(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#wanted, '127.0.0.1');
    await once(this.#server, 'listening');
    onTestFinished(() => {
      for (const socket of this.#sockets) socket.destroy();
      this.#server.close();
    });
  }

  received(count = 1): Promise<void> {
    return this.#until(() => this.requests.length >= count);
  }

  connected(count = 1): Promise<void> {
    return this.#until(() => this.connections >= count);
  }

  disconnected(): Promise<void> {
    return this.#until(() => this.#sockets.size === 0);
  }

  #until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isSo()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  #changed(): void {
    for (const check of [...this.#waiting]) check();
  }

  #accept(socket: Socket): void {
    this.connections++;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#changed();
    });
    this.#changed();
  }

  #serve(socket: Socket, connection: number): void {
    socket.on('error', () => undefined);
    this.#options.onConnection?.(socket, connection);
    let pending: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (
        let request = readRequest(pending, connection);
        request;
        request = readRequest(pending, connection)
      ) {
        pending = pending.subarray(request.raw.length);
        this.#answer(request, socket);
      }
    });
  }

  #answer(request: RecordedRequest, socket: Socket): void {
    const nth = this.requests.push(request) - 1;
    const answer = this.#behave(request, socket, nth);
    if (typeof answer === 'string' || answer instanceof Uint8Array) socket.write(answer);
    this.#changed();
  }
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
