import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/signing/index.js';
import { rawExchange } from './support/raw-exchange.js';
import { useServer } from './support/start.js';

const context = useServer({
  quotas: { teams: 5 },
  // What waits for the rest of a body that never comes is given up soon.
  limits: { headers: 100, request: 200 },
});

const last = ['GET /healthz HTTP/1.1', 'Host: a', 'Connection: close', '', ''].join('\r\n');

/** Each answer of a connection: its status and body, read as a client reads them. */
function answersOf(received: string): { status: number; body: string }[] {
  const answers = [];
  for (let rest = received; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
    answers.push({ status, body: rest.slice(end, end + length) });
    rest = rest.slice(end + length);
  }
  return answers;
}

async function expectSoundAnswers(bytes: string): Promise<void> {
  const answers = answersOf(await rawExchange(context.server, bytes + last));
  expect(answers.length).toBeGreaterThan(0);
  for (const { status, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(100);
    expect(status).toBeLessThan(500);
    if (status >= 400 && body !== '') {
      expect(JSON.parse(body)).toEqual({ statusCode: status, message: expect.any(String) });
    }
  }
}

/** Properties whose requests go out many at a time. */
function check(bytes: fc.Arbitrary<string>, numRuns: number): Promise<void> {
  const group = fc.array(bytes, { minLength: 125, maxLength: 125 });
  const property = fc.asyncProperty(group, async (all) => {
    await Promise.all(all.map(expectSoundAnswers));
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

describe('over the wire, nothing is answered with a fault of the server, and all errors alike', () => {
  it('requests with a stretch of them changed', () => check(mutated, 375), 30_000);

  it('bytes', () =>
    check(
      fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      250,
    ));
});
