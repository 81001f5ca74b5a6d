import { beforeAll, describe, expect, it } from 'vitest';
import { at } from '../support/caller.js';
import { useServer } from '../support/servers.js';
import { answersIn, authorize, rawExchange, writeHead } from './support/raw-exchange.js';

// What two servers in a row could understand differently is refused, and nothing after it is read as a request.
const context = useServer();
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

describe('on a connection that is kept', () => {
  it('each is answered 400, and what follows is no request', async () => {
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
