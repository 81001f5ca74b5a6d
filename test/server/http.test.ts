import { describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../src/signing/index.js';
import { answersIn, rawExchange } from './support/raw-exchange.js';
import { useServer } from './support/start.js';

const context = useServer();

async function send(...lines: string[]) {
  return answersIn(await rawExchange(context.server, lines.join('\r\n')));
}

function authorization(): string {
  return `Authorization: ${basicAuthorization({ keyId: context.server.keyId, secret: context.server.secret })}`;
}

describe('what is no request of HTTP/1.1', () => {
  it.each<[string, number, string[]]>([
    ['rubbish', 400, ['rubbish', '', '']],
    ['an unknown method', 400, ['FETCH /quotas HTTP/1.1', 'Host: a', '', '']],
    ['a target with a space', 400, ['GET /quo tas HTTP/1.1', 'Host: a', '', '']],
    ['a header without a colon', 400, ['GET / HTTP/1.1', 'Host: a', 'nonsense', '', '']],
    ['another version', 400, ['GET /quotas HTTP/3.7', 'Host: a', '', '']],
    ['a negative length', 400, ['POST / HTTP/1.1', 'Host: a', 'Content-Length: -1', '', '']],
    ['a length that is no number', 400, ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 1x', '', '']],
    ['a target of 20,000 characters', 431, [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: a', '', '']],
    ['headers of 20,000 characters', 431, ['GET / HTTP/1.1', 'Host: a', `X: ${'x'.repeat(20_000)}`, '', '']],
  ])('%s is answered with %i and an error body', async (_name, status, lines) => {
    expect(await send(...lines)).toEqual({
      statuses: [status],
      body: { statusCode: status, message: expect.any(String) },
    });
  });

  it('is a body over the limit, to a client that waits for leave to send it, too', async () => {
    const lines = ['POST /teams HTTP/1.1', 'Host: a', authorization(), 'Content-Length: 2000000'];
    expect((await send(...lines, 'Expect: 100-continue', '', '')).statuses).toEqual([413]);
  });

  it('a body over the limit ends the connection, so that the rest of it is not taken for a request', async () => {
    const lines = ['POST /teams HTTP/1.1', 'Host: a', authorization(), 'Content-Length: 1100000', ''];
    const next = ['GET /quotas HTTP/1.1', 'Host: a', authorization(), '', ''];
    expect((await send(...lines, `${'x'.repeat(1_100_000)}${next.join('\r\n')}`)).statuses).toEqual([413]);
  });
});

const closed = 'connection: CLOSE';

describe('what is one, if unusual', () => {
  it.each<[string, (authorized: string) => string[]]>([
    ['HTTP/1.0', (authorized) => ['GET /quotas HTTP/1.0', authorized, '', '']],
    [
      'header names in any case',
      (authorized) => ['GET /quotas HTTP/1.1', 'hOST: a', authorized, closed, '', ''],
    ],
    [
      'an empty line before it',
      (authorized) => ['', 'GET /quotas HTTP/1.1', 'Host: a', authorized, closed, '', ''],
    ],
  ])('%s is answered', async (_name, lines) => {
    expect((await send(...lines(authorization()))).statuses).toEqual([200]);
  });

  it('requests that follow one another on one connection are answered in order', async () => {
    const get = (target: string, ...lines: string[]) =>
      [`GET ${target} HTTP/1.1`, 'Host: a', authorization(), ...lines, '', ''].join('\r\n');
    const [first, second, last] = [get('/quotas'), get('/nowhere'), get('/quotas', closed)];
    expect((await send(first + second + last)).statuses).toEqual([200, 404, 200]);
  });
});
