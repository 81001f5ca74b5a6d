import type { Socket } from 'node:net';
import { hostilePeer, httpAnswer, type Peer, type RecordedRequest } from '../../support/hostile-peer.js';
import { emptyEnvironment } from '../../support/run-cli.js';

/** What a scripted service does with a request; `undefined` leaves it without an answer. */
export type Answer = (
  request: RecordedRequest & { readonly nth: number },
  socket: Socket,
) => string | undefined | Promise<string>;

export interface ScriptedService {
  readonly peer: Peer;
  readonly env: Record<string, string>;
  /** The bodies of all POSTs, in the order in which they came. */
  posted(): unknown[];
}

/** A service whose answers to each method and path, such as `GET /quotas`, are a test's own; other requests are 404. */
export async function scriptedService(answers: Readonly<Record<string, Answer>>): Promise<ScriptedService> {
  const counts = new Map<string, number>();
  const peer = await hostilePeer(async (request, socket) => {
    const call = `${request.method} ${request.target.replace(/\?.*$/, '')}`;
    const nth = counts.get(call) ?? 0;
    counts.set(call, nth + 1);
    const answer = answers[call];
    const text =
      answer === undefined
        ? httpAnswer(404, { statusCode: 404, message: `no ${call}` })
        : await answer({ ...request, nth }, socket);
    if (text !== undefined) socket.write(text);
  });
  return {
    peer,
    env: {
      ...emptyEnvironment(),
      ORGCTL_BASE_URL: peer.origin,
      ORGCTL_KEY_ID: 'key_test',
      ORGCTL_SECRET: 's'.repeat(64),
    },
    posted: () =>
      peer.requests
        .filter(({ method }) => method === 'POST')
        .map(({ body }): unknown => JSON.parse(body.toString('utf8'))),
  };
}

/** The answer to `GET /quotas` with so many connections left. */
export function quotaAnswer(remaining: number, used = 0): string {
  const connections = { limit: used + remaining, used, remaining };
  return httpAnswer(200, { data: [{ connections }], total: 1, page: 1, limit: 20, pages: 1 });
}

/** The answer to a POST: the body with an ID. */
export function createdAnswer({ body, nth }: { readonly body: Buffer; readonly nth: number }): string {
  const fields: unknown = JSON.parse(body.toString('utf8'));
  return httpAnswer(201, Object.assign({ id: `conn_${nth}` }, fields));
}

/** One page of a list in the envelope. */
export function pageAnswer(
  data: readonly unknown[],
  envelope: { readonly total: number; readonly page: number; readonly pages: number },
): string {
  return httpAnswer(200, { data, limit: 20, ...envelope });
}

/** The `page` that a list request asked for. */
export function pageOf({ target }: Pick<RecordedRequest, 'target'>): number {
  return Number(new URL(target, 'http://peer').searchParams.get('page') ?? 1);
}
