import { describe, expect, it } from 'vitest';
import { canonicalString, hmacSignature, type SignableRequest } from '../../src/signing/index.js';
import type { Call } from './support/caller.js';
import { useServer } from './support/start.js';

// What the signature covers is what came over the wire, to the byte (reference, section 5, server rules 1 and 4).
const context = useServer({ quotas: { teams: 1000 } });
const timestamp = String(Math.floor(Date.now() / 1000));
const team = '{"name":"a"}';

/** Signs one request and sends another. */
function sendAs(signed: Partial<SignableRequest>, method: string, target: string, call: Call = {}) {
  const body = Buffer.from(typeof call.body === 'string' ? call.body : '');
  const whole = { method, target, timestamp, contentType: 'application/json', body, ...signed };
  const signature = hmacSignature(context.server.secret, canonicalString(whole));
  const headers = { 'X-API-Signature': signature, ...call.headers };
  return context.caller.send(method, target, { timestamp, ...call, headers });
}

describe('a signature holds for', () => {
  it.each([
    ['a query with odd encodings', '/connections?limit=5&x=%7E~%20+a%2f%2F&x='],
    ['a query with repeated names', '/connections?a=1&a=2&a'],
    ['an empty query', '/connections?'],
    ['a path with escapes', '/%63onnections'],
    ['a target that is not there', '/connections//?%zz'],
  ])('%s', async (_name, target) => {
    expect((await context.caller.send('GET', target)).status).not.toBe(401);
  });

  it.each([
    ['UTF-8', { body: '{"name":"Zoë 🦉"}' }],
    ['a trailing newline', { body: `${team}\n` }],
    ['a charset', { body: team, contentType: 'application/json; charset=utf-8' }],
    ['a byte order mark', { body: `\uFEFF${team}` }],
    ['chunks', { body: '{"name":"in chunks"}', chunked: true }],
  ])('a body with %s', async (_name, call) => {
    expect((await context.caller.send('POST', '/teams', call)).status).toBe(201);
  });

  it('a body of GET, which means nothing but is signed', async () => {
    expect((await context.caller.send('GET', '/teams', { body: 'anything' })).status).toBe(200);
    expect((await sendAs({ body: Buffer.from('else') }, 'GET', '/teams', { body: 'any' })).status).toBe(401);
  });

  it('a content type without a body, signed as the empty string', async () => {
    const call = { contentType: 'application/json' };
    expect((await context.caller.send('GET', '/teams', call)).status).toBe(200);
    expect((await context.caller.send('GET', '/teams', { ...call, chunked: true })).status).toBe(200);
  });
});
