import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { at, type Call, Caller } from '../support/caller.js';
import { useServer } from '../support/servers.js';
import { writeHead } from './support/raw-exchange.js';

const context = useServer({ quotas: { teams: 100, connections: 100 }, limits: { heldBytes: 1_000_000 } });

function post(target: string, call: Call) {
  return context.caller.send('POST', target, call);
}

const unstorable = 'The body has text with a NUL or half a surrogate pair';
it('bodies of answered requests do not count toward the bytes in memory', async () => {
  const body = { name: 'a'.repeat(60_000) };
  for (let sent = 0; sent < 20; sent += 1) expect((await post('/teams', { body })).status).toBe(400);
});

it('a body or a list that memory has no room for is refused with 503 and Retry-After', async () => {
  const teams = Array.from({ length: 100 }, () => ({ name: 'a'.repeat(255) }));
  const seed = { organizations: [{ name: 'a', quotas: { teams: 100 }, teams }] };
  await using server = await startServer({ http: true, limits: { heldBytes: 10 }, seed });
  for (const [method, body] of [['POST', { name: 'a' }], ['GET']] as const) {
    const { status, headers } = await new Caller(server).send(method, '/teams?limit=100', { body });
    expect([method, status, headers['retry-after']]).toEqual([method, 503, '1']);
  }
});

describe('a body', () => {
  it.each<[string, unknown, string]>([
    ['missing', undefined, 'A JSON body is required'],
    ['cut short', '{"name":"hunter2', 'Malformed JSON'],
    ['with text after it', '{} x', 'Malformed JSON'],
    ['with NaN', '{"name":NaN}', 'Malformed JSON'],
    ['with a NUL byte', '{"name":"a\0"}', 'Malformed JSON'],
    ['in UTF-16', Buffer.from('{"name":"a"}', 'utf16le'), 'Malformed JSON'],
    ['that is not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), 'The body is not valid UTF-8'],
    ['with half a character', Buffer.from([0x22, 0xe2, 0x82, 0x22]), 'The body is not valid UTF-8'],
    ['with an escaped NUL', '{"name":"a\\u0000b"}', unstorable],
    ['with half a surrogate pair', '{"name":"\\ud800"}', unstorable],
    ['with __proto__', '{"name":"a","__proto__":{"x":1}}', 'The body has a field named __proto__'],
    ['with __proto__ in escapes', '{"a":[{"\\u005f_proto__":1}]}', 'The body has a field named __proto__'],
    ['nested 100 deep', '['.repeat(100) + ']'.repeat(100), 'The body is nested deeper than 64 levels'],
    [
      'nested 30,000 deep',
      '['.repeat(30_000) + ']'.repeat(30_000),
      'The body is nested deeper than 64 levels',
    ],
  ])('%s is refused', async (_name, body, message) => {
    const answer = await post('/teams', { body });
    expect(answer.json).toEqual({ statusCode: 400, message });
    expect(answer.status).toBe(400);
  });

  it('is refused without quoting it, for it may hold a password, and with what is wrong in each field', async () => {
    const config = '{"port":"hunter2","password":5}';
    const fitting = await post('/connections', { body: `{"type":"pg","config":${config}}` });
    expect(at(fitting.json, 'message')).toMatch(/name: .+; config\.host: .+/);
    const malformed = await post('/connections', { body: '{"password":"hunter2"x}' });
    for (const { status, text } of [fitting, malformed]) {
      expect(status).toBe(400);
      expect(text).not.toContain('hunter2');
    }
  });

  it('changes no prototype with keys that are properties of every object', async () => {
    const config = { constructor: { prototype: { polluted: 1 } }, toString: 'x', hasOwnProperty: null };
    const postgres = { host: 'h', port: 1, database: 'd', user: 'u', ssl: true };
    const whole = { ...postgres, password: 'p', ...config };
    const answer = await post('/connections', { body: { name: 'a', type: 'pg', config: whole } });
    expect(answer.status).toBe(201);
    expect(at(answer.json, 'config')).toEqual(postgres);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('may be nested as deep as the limit says, and have a long number', async () => {
    // The body and config are two of the levels.
    const deep = JSON.parse(`${'['.repeat(62)}1${']'.repeat(62)}`);
    const text = JSON.stringify({ name: 'a', type: 'x', config: { deep, list: [0] } });
    const body = text.replace('0]', `${'9'.repeat(1000)}]`);
    expect((await post('/connections', { body })).status).toBe(201);
    expect((await post('/connections', { body: body.replace('[1]', '[[1]]') })).status).toBe(400);
  });
});

describe('a body of more than 64 KiB', () => {
  const limit = 64 * 1024;
  const exact = `{"name":"${'x'.repeat(limit - 11)}"}`;

  it('is refused with 413, and one of exactly 64 KiB is read', async () => {
    expect((await post('/teams', { body: exact })).status).toBe(400);
    for (const auth of ['hmac', 'basic'] as const) {
      for (const chunked of [false, true]) {
        const answer = await post('/teams', { body: `${exact} `, chunked, auth });
        expect(answer.json).toEqual({ statusCode: 413, message: 'Payload Too Large' });
      }
    }
  });

  it('is refused after the credentials that can be checked without it', async () => {
    const body = `${exact} `;
    const credential = { ...context.caller.credential, secret: 'x' };
    expect((await post('/teams', { body, auth: 'none' })).status).toBe(401);
    expect((await post('/teams', { body, auth: 'basic', credential })).status).toBe(401);
    expect((await post('/teams', { body, timestamp: '0' })).status).toBe(401);
    expect((await post('/nowhere', { body, auth: 'basic' })).status).toBe(404);
    expect((await post('/teams', { body, auth: 'basic' })).headers['x-quota-limit']).toBe('100');
  });

  it('is read to its end by the server, for clients that read no response before, but not for ever', async () => {
    for (const [body, auth] of [
      ['x'.repeat(7 * 1024 * 1024), 'none'] as const,
      ['x'.repeat(200_000), 'hmac'] as const,
    ]) {
      for (const chunked of [false, true]) {
        const answer = await post('/teams', { body, chunked, auth, headers: { connection: 'keep-alive' } });
        expect(answer.status).toBe(auth === 'none' ? 401 : 413);
      }
    }
    const { url } = context.server;
    const endless = connect(Number(new URL(url).port), new URL(url).hostname);
    endless.on('error', () => undefined);
    let received = '';
    endless.on('data', (bytes) => (received += bytes));
    endless.write(writeHead('POST /teams', 'Content-Length: 1000000000'));
    const mebibyte = Buffer.alloc(1024 * 1024);
    const sendOn = (error?: Error | null) => {
      if (!error && endless.writable) endless.write(mebibyte, sendOn);
    };
    sendOn();
    await new Promise((resolve) => endless.once('close', resolve));
    expect(endless.bytesWritten).toBeLessThan(100 * mebibyte.length);
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
  });
});
