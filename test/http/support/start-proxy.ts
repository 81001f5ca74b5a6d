import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ProxiedExchange } from '../../../src/proxy/exchange.js';
import { type ProxyOptions, type RunningProxy, startProxy } from '../../../src/proxy/proxy-server.js';

export interface ProxyUnderTest extends RunningProxy {
  readonly port: number;
  /** What its observer got. */
  readonly exchanges: readonly ProxiedExchange[];
  /** The end of the next exchange. */
  observed(): Promise<ProxiedExchange>;
}

/** A proxy on a free port, that ends with the test. */
export async function proxyTo(origin: string, options: Partial<ProxyOptions> = {}): Promise<ProxyUnderTest> {
  const exchanges: ProxiedExchange[] = [];
  const waiting: ((exchange: ProxiedExchange) => void)[] = [];
  const observe = (exchange: ProxiedExchange) => {
    exchanges.push(exchange);
    waiting.shift()?.(exchange);
  };
  const proxy = await startProxy({
    origin,
    env: {},
    port: 0,
    timeout: 10_000,
    observers: [observe],
    grace: 0,
    ...options,
  });
  onTestFinished(() => proxy.close());
  const port = Number(new URL(proxy.url).port);
  return { ...proxy, port, exchanges, observed: () => new Promise((resolve) => waiting.push(resolve)) };
}

/**
 * Sends lines of a request as they are, with the proxy's own Host if `Host` stands alone; returns all until the end,
 * which is the client's own once it has read what it waits for.
 */
export function sendRaw(
  { port }: { readonly port: number },
  bytes: string,
  wanted?: RegExp,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes.replaceAll('Host\r\n', `Host: 127.0.0.1:${port}\r\n`), 'latin1');
    });
    const received: Buffer[] = [];
    socket.on('data', (chunk) => {
      received.push(chunk);
      if (wanted?.test(Buffer.concat(received).toString('latin1'))) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
  });
}

/** The last of a response in the proxy's name, after which it waits a second for the rest of a body. */
export const endOfRefusal = /\r\n\r\n\{.*\}$/s;

/** A request from its lines; the last connection header closes the connection after it. */
export function linesOf(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n');
}
