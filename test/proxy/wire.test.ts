import { describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../src/signing/index.js';
import { Caller } from '../server/support/caller.js';
import { rawExchange } from '../server/support/raw-exchange.js';
import { useServer } from '../server/support/start.js';
import { proxyTo, sendRaw } from './support/start-proxy.js';

// What the service answers to these on the wire, it answers through the proxy, but for `Via`.
const context = useServer({ faults: ['GET /api-keys=503:5s'], quotas: { connections: 0 } });
const team = '{"name":"a"}';

const requests: readonly [name: string, lines: readonly string[], body?: string][] = [
  ['a read', ['GET /quotas HTTP/1.1', 'Basic']],
  ['a head', ['HEAD /quotas HTTP/1.1', 'Basic']],
  ['a page of a list', ['GET /teams?limit=1&page=7 HTTP/1.1', 'Basic']],
  ['a fault', ['GET /api-keys HTTP/1.1', 'Basic']],
  ['no credential', ['GET /quotas HTTP/1.1']],
  ['two credentials', ['GET /quotas HTTP/1.1', 'Basic', 'X-API-Key: key_x']],
  ['a credential twice', ['GET /quotas HTTP/1.1', 'Basic', 'Basic']],
  ['another path', ['GET /%zz//..?a HTTP/1.1', 'Basic']],
  ['an unknown method', ['REPORT /quotas HTTP/1.1', 'Basic']],
  ['the asterisk', ['OPTIONS * HTTP/1.1', 'Basic']],
  ['an unknown expectation', ['GET /quotas HTTP/1.1', 'Basic', 'Expect: more']],
  ['an exceeded quota', ['POST /connections HTTP/1.1', 'Basic', 'Content-Length: 0']],
  [
    'a body that is no JSON',
    ['POST /teams HTTP/1.1', 'Basic', 'Content-Type: application/json', 'Content-Length: 3'],
    '{"n',
  ],
  [
    'another content type',
    ['POST /teams HTTP/1.1', 'Basic', 'Content-Type: text/plain', 'Content-Length: 12'],
    team,
  ],
  ['a body of GET', ['GET /quotas HTTP/1.1', 'Basic', 'Content-Length: 3'], 'any'],
  [
    'chunks',
    ['POST /teams HTTP/1.1', 'Basic', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
    '2\r\n{}\r\n0\r\n\r\n',
  ],
  ['HTTP/1.0', ['GET /quotas HTTP/1.0', 'Basic']],
  ['a target that is too long', [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Basic']],
];

function toBytes(host: string, lines: readonly string[], body = ''): string {
  const [line, ...headers] = lines;
  const credential = `Authorization: ${basicAuthorization(context.server)}`;
  const all = [line, host, ...headers.map((header) => (header === 'Basic' ? credential : header))];
  return [...all, 'Connection: close', '', body].join('\r\n');
}

describe('the service answers through the proxy as it does without', () => {
  it.each(requests)('%s', async (_name, lines, body) => {
    const proxy = await proxyTo(context.server.url);
    const direct = await rawExchange(context.server, toBytes('Host: a', lines, body));
    const passed = await sendRaw(proxy, toBytes('Host', lines, body));
    expect(comparable(passed)).toEqual(comparable(direct));
    expect(passed).toContain('\r\nVia: 1.1 orgctl\r\n');
  });
});

it('and each call of an organization, signed or with the secret', async () => {
  const proxy = await proxyTo(context.server.url);
  const { keyId, secret } = context.server;
  const caller = new Caller({ url: proxy.url, keyId, secret });
  for (const auth of ['hmac', 'basic'] as const) {
    const created = await caller.send('POST', '/teams', {
      auth,
      body: { name: `by ${auth}` },
      chunked: auth === 'hmac',
    });
    expect(created.status).toBe(201);
    const { id } = JSON.parse(created.text);
    expect((await caller.send('PATCH', `/teams/${id}`, { auth, body: { name: 'Zoë 🦉' } })).status).toBe(200);
    expect((await caller.send('GET', '/teams?limit=1&x=%7E~+%2f', { auth })).status).toBe(200);
    expect((await caller.send('DELETE', `/teams/${id}`, { auth })).status).toBe(204);
  }
});

/** A response without its time and what is for one hop: `Via`, and the place of `Connection`. */
function comparable(received: string): string[] {
  return received
    .split('\r\n')
    .filter((line) => !/^(?:Via|Connection): /.test(line))
    .map((line) => line.replace(/^Date: .*/, 'Date'));
}
