import fc from 'fast-check';
import { expect, it } from 'vitest';
import { signedHeaders } from '../../src/signing/index.js';
import { useServer } from '../support/servers.js';
import { answersIn, rawExchange } from './support/raw-exchange.js';

const context = useServer({
  quotas: { teams: 5 },
  // What waits for the rest of a body that never comes is given up soon.
  limits: { headers: 100, request: 200 },
});

const last = ['GET /healthz HTTP/1.1', 'Host: a', 'Connection: close', '', ''].join('\r\n');

/** Statuses alone: what errors look like is in http.test.ts. */
async function expectNoFault(bytes: string): Promise<void> {
  const { statuses } = answersIn(await rawExchange(context.server, bytes + last));
  expect(statuses).not.toEqual([]);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
}

/** Properties whose requests go out many at a time. */
function check(bytes: fc.Arbitrary<string>, numRuns: number): Promise<void> {
  const group = fc.array(bytes, { minLength: 125, maxLength: 125 });
  const property = fc.asyncProperty(group, async (all) => {
    await Promise.all(all.map(expectNoFault));
  });
  return fc.assert(property, { numRuns: numRuns / 125 });
}

function signedRequest(method: string, target: string, text: string): string {
  const body = Buffer.from(text);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const contentType = text === '' ? '' : 'application/json';
  const { keyId, secret } = context.server;
  const signed = signedHeaders({ keyId, secret }, { method, target, timestamp, contentType, body });
  const lines = Object.entries({
    Host: 'a',
    ...signed,
    ...(text === '' ? {} : { 'Content-Type': contentType, 'Content-Length': String(body.length) }),
  }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target} HTTP/1.1`, ...lines, '', text].join('\r\n');
}

const samples = fc.constantFrom<[string, string, string]>(
  ['GET', '/quotas', ''],
  ['GET', '/connections?limit=5&page=1', ''],
  ['POST', '/teams', '{"name":"a"}'],
  ['POST', '/connections', '{"name":"a","type":"x","config":{"a":[1,null]}}'],
  ['POST', '/api-keys', '{"name":"a"}'],
  ['PATCH', '/teams/team_1', '{"name":"b"}'],
  ['DELETE', '/connections/conn_1', ''],
);

const piece = fc.oneof(
  fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 6 }),
  fc.constantFrom('\r\n', '\n', '\r', '\0', ' ', ':', '%', '%zz', '?', '#', '//', '..', '\r\n\r\n', '{', '"'),
  fc.constantFrom('Transfer-Encoding: chunked\r\n', 'Content-Length: 3\r\n', 'Expect: 100-continue\r\n'),
  fc.constantFrom('Authorization: Basic eDp5\r\n', 'X-API-Key: key_x\r\n', 'Upgrade: h2c\r\n'),
);

/** A request of which a stretch is replaced by something else. */
const mutated = fc
  .tuple(samples, fc.nat(), fc.nat(4), piece)
  .map(([[method, target, body], place, length, replacement]) => {
    const request = signedRequest(method, target, body);
    const start = place % request.length;
    return request.slice(0, start) + replacement + request.slice(start + length);
  });

it('no request on the wire, whatever part of it was changed, makes the server fail', () =>
  check(mutated, 375));
