import { request } from 'node:http';
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

  it('a body over the limit ends the connection, so that the rest of it is not taken for a request', async () => {
    const lines = ['POST /teams HTTP/1.1', 'Host: a', authorization(), 'Content-Length: 1100000', ''];
    const next = ['GET /quotas HTTP/1.1', 'Host: a', authorization(), '', ''];
    expect((await send(...lines, `${'x'.repeat(1_100_000)}${next.join('\r\n')}`)).statuses).toEqual([413]);
  });
});

describe('what is one, if unusual', () => {
  it.each<[string, (authorized: string) => string[]]>([
    ['HTTP/1.0', (authorized) => ['GET /quotas HTTP/1.0', authorized, '', '']],
    [
      'header names in any case',
      (authorized) => [
        'GET /quotas HTTP/1.1',
        'hOST: a',
        authorized.toUpperCase().slice(0, 13) + authorized.slice(13),
        'connection: CLOSE',
        '',
        '',
      ],
    ],
    [
      'an empty line before it',
      (authorized) => ['', 'GET /quotas HTTP/1.1', 'Host: a', authorized, 'Connection: close', '', ''],
    ],
  ])('%s is answered', async (_name, lines) => {
    expect((await send(...lines(authorization()))).statuses).toEqual([200]);
  });

  it('requests that follow one another on one connection are answered in order', async () => {
    const first = ['GET /quotas HTTP/1.1', 'Host: a', authorization(), '', ''].join('\r\n');
    const second = ['GET /nowhere HTTP/1.1', 'Host: a', authorization(), '', ''].join('\r\n');
    const last = ['GET /quotas HTTP/1.1', 'Host: a', authorization(), 'Connection: close', '', ''].join(
      '\r\n',
    );
    expect((await send(first + second + last)).statuses).toEqual([200, 404, 200]);
  });
});

describe('Expect: 100-continue', () => {
  async function expecting(length: number) {
    const { hostname, port } = new URL(context.server.url);
    return new Promise<string>((resolve, reject) => {
      const headers = {
        authorization: basicAuthorization({ keyId: context.server.keyId, secret: context.server.secret }),
        'content-type': 'application/json',
        'content-length': length,
        expect: '100-continue',
      };
      const asked = request({ hostname, port, method: 'POST', path: '/teams', headers, agent: false });
      let events = '';
      asked.on('continue', () => {
        events += '100 ';
        asked.end('{"name":"a"}');
      });
      asked.on('response', (response) => {
        response.resume();
        asked.destroy();
        resolve(`${events}${response.statusCode}`);
      });
      asked.on('error', reject);
      asked.flushHeaders();
    });
  }

  it('is granted to a body that may be sent', async () => {
    expect(await expecting(12)).toBe('100 201');
  });

  it('is answered with the refusal at once when the body would be too large', async () => {
    expect(await expecting(2_000_000)).toBe('413');
  });
});
