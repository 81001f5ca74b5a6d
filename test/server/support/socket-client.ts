import { connect, type Socket } from 'node:net';
import { afterEach, expect } from 'vitest';
import type { RunningServer } from '../../../src/server/index.js';
import { answersIn } from './raw-exchange.js';

/** A connection, and what came over it. */
export class SocketClient {
  readonly socket: Socket;
  readonly ended: Promise<void>;
  received = '';

  constructor(server: Pick<RunningServer, 'url'>, localAddress?: string) {
    const { hostname, port } = new URL(server.url);
    this.socket = connect({ port: Number(port), host: hostname, localAddress });
    this.socket.on('data', (data) => {
      this.received += data.toString('latin1');
    });
    // A server may well reset a connection that it has had enough of.
    this.socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  send(text: string): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** What came, once the first head is whole. */
  async head(): Promise<string> {
    while (!this.received.includes('\r\n\r\n')) {
      await new Promise((resolve) => this.socket.once('data', resolve));
    }
    return this.received;
  }

  /** The first answer with its body, whether or not the server hangs up. */
  async answer(): Promise<string> {
    await expect.poll(() => this.received.includes('}') || this.socket.destroyed).toBe(true);
    return this.received;
  }

  /** All that came until the server hung up. */
  async end(): Promise<ReturnType<typeof answersIn>> {
    await this.ended;
    return answersIn(this.received);
  }
}

/** Opens connections that each test closes when it ends. */
export function useSockets() {
  const clients: SocketClient[] = [];
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
  });
  return {
    clients,
    open(server: Pick<RunningServer, 'url'>, localAddress?: string): SocketClient {
      const client = new SocketClient(server, localAddress);
      clients.push(client);
      return client;
    },
  };
}
