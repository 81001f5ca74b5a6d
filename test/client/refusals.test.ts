import { expect, it } from 'vitest';
import type { ApiRequest } from '../../src/client/exchange/request.js';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { failureOf, openClient } from './support/open-client.js';

const get = { method: 'GET', target: '/connections?limit=5' } as const;
const post = { method: 'POST', target: '/connections' } as const;

async function refusal(answer: string | Buffer, request: Pick<ApiRequest, 'method' | 'target'> = get) {
  const peer = await scriptedPeer([answer]);
  const failure = await failureOf(openClient(peer).transport.send(request));
  expect(peer.requests.length).toBe(1);
  return failure;
}

// Messages that are named like members of every object.
it.each(['constructor', '__proto__', 'toString'])(
  '403 %s is a refusal without advice of its own',
  async (message) => {
    const failure = await refusal(httpAnswer(403, { statusCode: 403, message }));
    const hint = 'see which key is used: orgctl whoami';
    expect(failure).toMatchObject({ code: 'forbidden', message, status: 403, path: get.target, hint });
  },
);

it.each(['/api-keys', '/api-keys/', '/v1/API%2Dkeys?a=b', '/api-keys/key_1/rotate'])(
  'the message quotes nothing that may be a new secret, in an answer to POST %s',
  async (target) => {
    const returned = 'the service returned 409';
    const answer = httpAnswer(409, 'is Zq7');
    expect(await refusal(answer, { ...post, target })).toMatchObject({ message: returned });
    expect(await refusal(answer, { ...get, target })).toMatchObject({ message: `${returned}: is Zq7` });
  },
);

it.each([301, 302, 303, 307, 308])(
  '%i is an error naming the location, where nobody goes',
  async (status) => {
    const other = await hostilePeer(() => httpAnswer(200, {}));
    for (const request of [get, post]) {
      const location = `${other.origin}/elsewhere`;
      const mayBeDone = request === post && (status === 302 || status === 303);
      expect(await refusal(httpAnswer(status, '', { Location: location }), request)).toMatchObject({
        ...{ code: 'server', status, retryable: false },
        message: `${request.method} ${request.target} returned ${status}, a redirect to ${location}`,
        hint: expect.stringContaining(
          mayBeDone ? 'before you repeat it, check' : 'redirects are not followed',
        ),
      });
    }
    expect(other.connections).toBe(0);
  },
);
