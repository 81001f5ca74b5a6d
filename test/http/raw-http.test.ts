import { beforeAll, describe, expect, it } from 'vitest';
import { at } from '../support/caller.js';
import { useServer, useServers } from '../support/servers.js';
import { answersIn, authorize, rawExchange, writeHead } from './support/raw-exchange.js';

const context = useServer();
const servers = useServers();

async function send(...lines: string[]) {
  return answersIn(await rawExchange(context.server, lines.join('\r\n')));
}

describe('a malformed HTTP/1.1 request', () => {
  it.each<[string, number, string[]]>([
    ['rubbish', 400, ['rubbish', '', '']],
    ['an unknown method', 400, ['FETCH /quotas HTTP/1.1', 'Host: a', '', '']],
    ['a header without a colon', 400, ['GET / HTTP/1.1', 'Host: a', 'nonsense', '', '']],
    ['a negative length', 400, ['POST / HTTP/1.1', 'Host: a', 'Content-Length: -1', '', '']],
    ['a target of 20,000 characters', 431, [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: a', '', '']],
    ['headers of 20,000 characters', 431, ['GET / HTTP/1.1', 'Host: a', `X: ${'x'.repeat(20_000)}`, '', '']],
  ])('%s is answered with %i and an error body', async (_name, status, lines) => {
    expect(await send(...lines)).toEqual({
      statuses: [status],
      body: { statusCode: status, message: expect.any(String) },
    });
  });
});

const asked = ['Host: 127.0.0.1', 'Connection: close', '', ''];

it.each<[string, number, string[]]>([
  ['a head without Host', 400, ['GET /quotas HTTP/1.1', 'Connection: close', '', '']],
  ['a head of the control API without Host', 400, ['GET /_control/clock HTTP/1.1', '', '']],
  ['a fault', 429, ['GET /teams HTTP/1.1', ...asked]],
  ['a missing credential', 401, ['GET /quotas HTTP/1.1', ...asked]],
  ['a missing token of the control API', 401, ['GET /_control/clock HTTP/1.1', ...asked]],
])(
  '%s is answered as every error is: in JSON, and dated by the clock of the server',
  async (_name, status, lines) => {
    const server = await servers.start({ clock: () => Date.UTC(2030, 0, 1), faults: ['GET /teams=429'] });
    const [head = '', body = ''] = (await rawExchange(server, lines.join('\r\n'))).split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual({ statusCode: status, message: expect.any(String) });
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8\r?$/im);
    expect(head).toMatch(/^date: Tue, 01 Jan 2030 00:00:00 GMT\r?$/im);
    expect(head).toMatch(new RegExp(`^content-length: ${Buffer.byteLength(body)}\\r?$`, 'im'));
    expect(head).toMatch(/^connection: close\r?$/im);
  },
);

// What two servers in a row could understand differently is refused, and nothing after it is read as a request.
let team: string;
beforeAll(async () => {
  const created = await context.caller.send('POST', '/teams', { body: { name: 'kept' } });
  team = String(at(created.json, 'id'));
});

const request = (line: string, ...lines: string[]) => writeHead(line, authorize(context.server), ...lines);

const shapes: [string, string[], string][] = [
  ['a length and chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 44'], ''],
  ['a list of lengths', ['Content-Length: 0, 0'], ''],
  ['a length in hexadecimal', ['Content-Length: 0x0'], ''],
  ['a length that overflows', ['Content-Length: 18446744073709551616'], ''],
  ['chunks that are not last', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
  ['a space before the colon', ['Transfer-Encoding : chunked'], '0\r\n\r\n'],
  ['a folded header', ['X: a', ' Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a carriage return alone', ['X: a\rTransfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a NUL in a value', ['Transfer-Encoding: chunked\0'], '0\r\n\r\n'],
  ['a chunk size that overflows', ['Transfer-Encoding: chunked'], '10000000000000000\r\n\r\n'],
  ['a chunk longer than it says', ['Transfer-Encoding: chunked'], '1\r\nxx\r\n0\r\n\r\n'],
  ['a chunk that ends with a line feed alone', ['Transfer-Encoding: chunked'], '1\r\nx\n0\r\n\r\n'],
];

describe('ambiguous requests on a kept connection', () => {
  it('get 400, and what follows them is not read as a request', async () => {
    const first = request('GET /quotas');
    const smuggled = request(`DELETE /teams/${team}`);
    const refused = { statuses: [200, 400], body: { statusCode: 400, message: 'Bad Request' } };
    const answers = shapes.map(async ([name, headers, body]) => {
      const odd = request('POST /teams', ...headers);
      return [name, answersIn(await rawExchange(context.server, first + odd + body + smuggled))];
    });
    expect(await Promise.all(answers)).toEqual(shapes.map(([name]) => [name, refused]));
    expect((await context.caller.send('GET', `/teams/${team}`)).status).toBe(200);
  });
});
