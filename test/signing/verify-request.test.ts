import { describe, expect, it } from 'vitest';
import {
  basicAuthorization,
  signedHeaders,
  UsageError,
  type VerifyOptions,
  verifyRequest,
} from '../../src/signing/index.js';

const secret = 's'.repeat(64);
const keys = new Map([
  ['key_on', { secret, team: 'ops' }],
  ['key_off', { secret, team: 'ops', enabled: false }],
]);
const now = Date.UTC(2026, 2, 1);
const body = Buffer.from('{"name":"Zoë"}');

/** What a client sends: signed with a key, then changed. */
function request({ keyId = 'key_on', at = now, changes = {} as object, headers = {} as object } = {}) {
  const signed = { method: 'POST', target: '/teams?a=1', contentType: 'application/json', body };
  const timestamp = String(at / 1000);
  const authentication = signedHeaders({ keyId, secret }, { ...signed, timestamp });
  const all = new Headers({ 'content-type': 'application/json', ...authentication, ...headers });
  return { ...signed, headers: all, ...changes };
}

function verify(received: Parameters<typeof verifyRequest>[0], options: VerifyOptions = {}) {
  return verifyRequest(received, (keyId) => keys.get(keyId), { clock: () => now, ...options });
}

describe('verifyRequest', () => {
  it('accepts what was signed, and hands on the key that was found', async () => {
    const key = { secret, team: 'ops' };
    expect(await verify(request())).toEqual({ accepted: true, keyId: 'key_on', key });
    const headers = Object.fromEntries(request().headers);
    expect(await verify({ ...request(), headers })).toMatchObject({ accepted: true });
  });

  it('accepts mode A', async () => {
    const authorization = basicAuthorization({ keyId: 'key_on', secret });
    expect(await verify({ method: 'GET', target: '/', headers: { authorization } })).toMatchObject({
      accepted: true,
      keyId: 'key_on',
    });
  });

  it.each([
    ['nothing', { headers: new Headers() }, 401, 'credentials'],
    ['both modes', { headers: { authorization: 'x', 'x-api-key': 'y' } }, 400, 'credentials'],
    ['no base64', { headers: { authorization: 'Basic ?' } }, 401, 'format'],
    [
      'another secret',
      { headers: { authorization: basicAuthorization({ keyId: 'key_on', secret: 'x' }) } },
      401,
      'secret',
    ],
    ['another target', { target: '/teams' }, 401, 'signature'],
    ['another method', { method: 'PATCH' }, 401, 'signature'],
    ['another body', { body: Buffer.from('{}') }, 401, 'signature'],
  ])('refuses %s', async (_name, changes, statusCode, check) => {
    expect(await verify(request({ changes }))).toMatchObject({ accepted: false, statusCode, check });
  });

  it.each([
    ['an unknown key', { keyId: 'key_none' }, 401, 'key'],
    ['a disabled key', { keyId: 'key_off' }, 403, 'enabled'],
    ['an old timestamp', { at: now - 301_000 }, 401, 'timestamp'],
  ])('refuses %s', async (_name, changes, statusCode, check) => {
    expect(await verify(request(changes))).toMatchObject({ accepted: false, statusCode, check });
  });

  it('takes a tolerance and modes of its own', async () => {
    expect(await verify(request({ at: now - 301_000 }), { maxSkew: 600 })).toMatchObject({ accepted: true });
    expect(await verify(request(), { modes: ['basic'] })).toMatchObject({ check: 'credentials' });
  });

  it('names the mistake behind a signature where it is asked to, and never the secret', async () => {
    const refusal = await verify(request({ changes: { body: Buffer.concat([body, Buffer.from('\n')]) } }));
    const explained = refusal.accepted ? undefined : refusal.explain?.();
    expect(explained?.mistake?.id).toMatch(/newline/);
    expect(JSON.stringify([refusal, explained])).not.toContain(secret);
  });

  it('refuses a body that was parsed, and a key without a secret', async () => {
    const parsed = Reflect.apply(verify, undefined, [request({ changes: { body: { name: 'x' } } })]);
    await expect(parsed).rejects.toThrow(UsageError);
    const none = verifyRequest(request(), () => ({}) as never);
    await expect(none).rejects.toThrow('no `secret`');
  });
});
