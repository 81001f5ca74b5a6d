import { connect } from 'node:net';
import type { RunningServer } from '../../../src/server/index.js';
import { basicAuthorization, type Credential } from '../../../src/signing/index.js';

/** Sends bytes as they are over plain TCP, and answers all that comes back until the server hangs up. */
export function rawExchange(server: Pick<RunningServer, 'url'>, bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes, 'latin1');
    });
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
  });
}

/** The head of a request of a method and target; a body may follow. */
export function writeHead(request: string, ...lines: string[]): string {
  return [`${request} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
}

/** The header of mode A. */
export function authorize(credential: Credential): string {
  return `Authorization: ${basicAuthorization(credential)}`;
}

/** The status of each answer in what came back, and the body of the last. */
export function answersIn(text: string): { statuses: number[]; body: unknown } {
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  const body = text.slice(text.lastIndexOf('\r\n\r\n') + 4);
  return { statuses, body: body === '' ? undefined : JSON.parse(body) };
}
