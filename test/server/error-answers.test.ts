import { expect, it } from 'vitest';
import { rawExchange } from './support/raw-exchange.js';
import { useServers } from './support/start.js';
import { through } from './support/through-proxy.js';

const servers = useServers();

const asked = ['Host: 127.0.0.1', 'Connection: close', '', ''];

it.each<[string, number, string[]]>([
  ['a head without Host', 400, ['GET /quotas HTTP/1.1', 'Connection: close', '', '']],
  ['a head of the control API without Host', 400, ['GET /_control/clock HTTP/1.1', '', '']],
  ['an unknown expectation', 417, ['GET /quotas HTTP/1.1', 'Expect: more', ...asked]],
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
    // Without Host a proxy answers by its own clock, and in its own words.
    const isPassed = through(true, lines.includes('Host: 127.0.0.1'));
    expect(head).toMatch(isPassed ? /^date: Tue, 01 Jan 2030 00:00:00 GMT\r?$/im : /^date: /im);
    const length = isPassed ? Buffer.byteLength(body) : '\\d+';
    expect(head).toMatch(new RegExp(`^content-length: ${length}\\r?$`, 'im'));
    expect(head).toMatch(/^connection: close\r?$/im);
  },
);

it('a delay holds a request up, which counts, and another fault may follow', async () => {
  const server = await servers.start({ faults: ['* *=delay:30ms', 'GET /quotas=500'] });
  await rawExchange(server, ['GET /quotas HTTP/1.1', ...asked].join('\r\n'));
  const [entry] = await server.control.journal.get();
  expect(entry?.status).toBe(500);
  expect(entry?.milliseconds).toBeGreaterThanOrEqual(29);
  expect(entry?.milliseconds).toBeLessThan(60_000);
});
