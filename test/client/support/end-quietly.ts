import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { openDispatcher } from '../../../src/client/network/dispatcher.js';
import { createTransport } from '../../../src/client/transport/transport.js';
import { credential } from './credential.js';

// Run as a process of its own: makes requests that are answered, interrupted while they wait and interrupted while they
// connect, and closes after each. The peers do not keep the process; if the client left anything open, it would not end.

async function peerOrigin(onData: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.unref();
    socket.on('error', () => undefined);
    socket.once('data', () => onData(socket));
  });
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening');
  return `http://127.0.0.1:${address.port}`;
}

async function call(origin: string, method: 'GET' | 'POST', signal: AbortSignal): Promise<void> {
  const transport = createTransport({
    dispatcher: openDispatcher({ origin, connectTimeout: 600_000, env: {} }),
    origin,
    prefix: '',
    credential,
    auth: 'hmac',
    clock: Date.now,
    timeout: 600_000,
    deadline: 600_000,
    retries: 1,
    signal,
    userAgent: 'orgctl/test',
  });
  await transport.send({ method, target: '/quotas' }).then(
    ({ status }) => console.log(status),
    (error: unknown) => console.log(String(error)),
  );
  await transport.close();
}

async function callInterrupted(scheme: 'http' | 'https', method: 'GET' | 'POST'): Promise<void> {
  const controller = new AbortController();
  const origin = await peerOrigin(() => controller.abort(new Error('interrupted')));
  await call(origin.replace('http', scheme), method, controller.signal);
}

const answer = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 2\r\n\r\n{}';
await call(await peerOrigin((socket) => socket.write(answer)), 'GET', new AbortController().signal);
await callInterrupted('http', 'POST');
await callInterrupted('https', 'GET');
