import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certificates.js';

export interface ConnectProxy {
  readonly port: number;
  /** The heads of the requests that it got, as text. */
  readonly heads: readonly string[];
  /** Every byte that it got and passed on, heads included. */
  seen(): Buffer;
}

export interface ConnectProxyOptions {
  /** Where every tunnel ends, whatever host it was asked for. */
  readonly target?: number;
  /** Speaks TLS itself. */
  readonly tls?: Certificate;
  /** Answers in place of opening a tunnel. */
  readonly refuse?: (socket: Socket) => unknown;
}

/** An HTTP proxy on loopback that opens tunnels, or refuses to. It ends with the test. */
export async function connectProxy({ target = 0, tls, refuse }: ConnectProxyOptions): Promise<ConnectProxy> {
  const heads: string[] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('data', (head: Buffer) => {
      heads.push(head.toString('latin1'));
      if (refuse !== undefined) return void refuse(socket);
      const tunnel = connect(target, '127.0.0.1', () =>
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n'),
      );
      sockets.add(tunnel);
      tunnel.on('error', () => socket.destroy());
      tunnel.pipe(socket);
      socket.pipe(tunnel);
      return undefined;
    });
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the proxy is not listening');
  return { port: address.port, heads, seen: () => Buffer.concat(chunks) };
}
