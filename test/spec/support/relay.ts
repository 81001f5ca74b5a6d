import { request } from 'node:http';
import type { RunningServer } from '../../../src/server/index.js';
import { hostilePeer, httpAnswer, type Peer, type RecordedRequest } from '../../support/hostile-peer.js';

/** What happens to a request on its way; `undefined`: it is passed on, and its answer back. */
export interface Passage {
  /** Before the service gets it; a text is the answer, `'drop'` closes the connection, and the service gets nothing. */
  readonly before?: (
    call: string,
    request: RecordedRequest,
  ) => string | undefined | Promise<string | undefined>;
  /** Once the service has answered; `'drop'` closes the connection without an answer. */
  readonly after?: (call: string) => 'drop' | undefined | Promise<'drop' | undefined>;
}

/** A stretch of network before a real service over plain HTTP: `call` is a method and path, such as `POST /api-keys`. */
export async function relayTo(server: Pick<RunningServer, 'url'>, { before, after }: Passage): Promise<Peer> {
  return hostilePeer(async (received, socket) => {
    const call = `${received.method} ${received.target.replace(/\?.*$/, '')}`;
    const own = await before?.(call, received);
    if (own === 'drop') return void socket.destroy();
    const answer = own ?? (await forward(server.url, received));
    if (own === undefined && (await after?.(call)) === 'drop') socket.destroy();
    else socket.write(answer);
  });
}

function forward(url: string, { method, target, headers, body }: RecordedRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const options = { hostname, port, method, path: target, headers: headers.flat() };
    const sent = request(
      { ...options, headers: Object.fromEntries(headers), agent: false },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        resolve(httpAnswer(answer.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
